package io.weir.internal.rules.yaml;

import java.util.ArrayList;
import java.util.List;

/**
 * Thrown if a file can't be used; its message names each mistake by its line, and of very many the
 * first ones.
 */
public final class RulebookFileException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private static final int MAX_NAMED = 100;

  /**
   * Lists the mistakes.
   *
   * @param mistakes a sentence for each; the first 100 are named
   */
  public RulebookFileException(List<String> mistakes) {
    super(String.join(System.lineSeparator(), named(mistakes)));
  }

  private static List<String> named(List<String> mistakes) {
    if (mistakes.size() <= MAX_NAMED) {
      return mistakes;
    }
    List<String> named = new ArrayList<>(mistakes.subList(0, MAX_NAMED));
    named.add("and " + (mistakes.size() - MAX_NAMED) + " more mistakes");
    return named;
  }
}
