package io.weir.internal.rules.yaml;

import java.util.List;

/** A file can't be used: its message names each mistake by its line. */
public final class RulebookFileException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * Tells all mistakes at once.
   *
   * @param mistakes each as a line for people
   */
  public RulebookFileException(List<String> mistakes) {
    super(String.join(System.lineSeparator(), mistakes));
  }
}
