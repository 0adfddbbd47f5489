"""Engines of quantized operators. There are none here."""

supported_engines = ['none']
engine = 'none'
