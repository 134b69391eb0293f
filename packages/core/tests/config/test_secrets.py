from __future__ import annotations

import pytest

from gatle.config.secrets import is_secret, masked, shown, without_secrets


@pytest.mark.parametrize(
    ("key", "secret"),
    [
        ("token", True),
        ("hf_token", True),
        ("API_KEY", True),
        ("wandb-api-key", True),
        ("password", True),
        ("slack_webhook_url", True),
        ("tokens", False),
        ("pad_token", False),
        ("tokenizer", False),
        ("key", False),
    ],
)
def test_which_keys_are_secrets(key, secret):
    assert is_secret(key) is secret


def test_everything_under_a_secret_is_masked():
    tree = {"credentials": {"user": "me", "list": ["a", 1]}, "max_token": 7, "token": "", "n": 1}
    assert masked(tree) == {
        "credentials": {"user": "**********", "list": ["**********", "**********"]},
        "max_token": 7,
        "token": "",
        "n": 1,
    }


def test_a_command_line_is_kept_without_its_secrets():
    words = [
        "gatle",
        "train",
        "c.toml",
        "-o",
        "plugin.w.api_key=abc",
        "-omodel.name=x",
        "--token=a",
    ]
    assert without_secrets(words) == [
        *words[:4],
        "plugin.w.api_key=**********",
        "-omodel.name=x",
        "--token=**********",
    ]


def test_messages_show_short_values_and_no_secrets():
    assert shown("model.name", "x") == "'x'"
    assert shown("plugin.w.token", "abc") == "'**********'"
    assert shown("plugin.w", {"token": "abc"}) == "{'token': '**********'}"
    assert len(shown("model.params", list(range(1000)))) == 80
