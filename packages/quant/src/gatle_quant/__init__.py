"""Quantization for gatle."""
