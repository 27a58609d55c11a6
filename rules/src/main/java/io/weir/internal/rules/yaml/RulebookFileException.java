package io.weir.internal.rules.yaml;

import java.util.List;

/** Thrown if a file can't be used; its message names each mistake by its line. */
public final class RulebookFileException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * Lists all mistakes.
   *
   * @param mistakes a sentence for each
   */
  public RulebookFileException(List<String> mistakes) {
    super(String.join(System.lineSeparator(), mistakes));
  }
}
