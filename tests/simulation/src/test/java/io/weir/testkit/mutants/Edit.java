package io.weir.testkit.mutants;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A piece of a source file of the runtime, and what stands there instead.
 *
 * <p>Immutable.
 *
 * @param file the source file, from the root of its packages
 * @param text a piece that occurs in it exactly once; white space stands for any white space
 * @param instead what stands in its place
 */
record Edit(String file, String text, String instead) {

  /**
   * Makes the change.
   *
   * @param source the whole file
   * @return the whole file, changed
   * @throws AssertionError if the piece doesn't occur exactly once: then the code has moved on, and
   *     the mutant must follow
   */
  String in(String source) {
    Matcher matcher = pattern().matcher(source);
    long found = matcher.results().count();
    if (found != 1) {
      throw new AssertionError(
          String.format(
              Locale.ROOT, "out of date: occurs %d times in %s, not once:%n%s", found, file, text));
    }
    return matcher.replaceFirst(Matcher.quoteReplacement(instead));
  }

  private Pattern pattern() {
    StringBuilder regex = new StringBuilder();
    for (String word : text.strip().split("\\s+")) {
      regex.append(regex.length() == 0 ? "" : "\\s+").append(Pattern.quote(word));
    }
    return Pattern.compile(regex.toString());
  }
}
