package io.weir.internal.control.json;

/** Reports a text that isn't JSON, or exceeds the bounds of {@link Json}. */
public final class MalformedJsonException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  MalformedJsonException(String message) {
    super(message);
  }
}
