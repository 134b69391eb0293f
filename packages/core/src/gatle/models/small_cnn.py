"""A small convolutional network for pictures of a few dozen pixels."""

from __future__ import annotations

from torch import Tensor, nn


class SmallCNN(nn.Module):
    """Three 3 x 3 convolutions with batch norm, global average pooling and a linear head.

    Args:
        num_classes: The number C of classes.
        in_channels: Channels of the pictures.
        width: Channels after the first convolution; they double at every stage.
        dropout: The share of features dropped before the head while training.
    """

    def __init__(
        self, *, num_classes: int, in_channels: int = 1, width: int = 32, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.features = nn.Sequential(
            _block(in_channels, width),
            _block(width, width * 2),
            nn.MaxPool2d(2),
            _block(width * 2, width * 4),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
            nn.Dropout(dropout),
        )
        self.head = nn.Linear(width * 4, num_classes)

    def forward(self, images: Tensor) -> Tensor:
        """Return `logits[N, C]` for `images[N, in_channels, H, W]`."""
        logits: Tensor = self.head(self.features(images))
        return logits


def _block(in_channels: int, out_channels: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(in_channels, out_channels, 3, padding=1, bias=False),
        nn.BatchNorm2d(out_channels),
        nn.ReLU(inplace=True),
    )
