package io.weir.internal.control.json;

/** A text isn't JSON, or is larger or deeper than anything that is meant here. */
public final class MalformedJsonException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  MalformedJsonException(String message) {
    super(message);
  }
}
