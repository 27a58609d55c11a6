package io.weir.testkit.mutants;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A mistake made on purpose: a piece of a source file of the runtime, what stands there instead,
 * and what has to notice.
 *
 * <p>Immutable.
 *
 * @param name what is wrong
 * @param file the source file, from the root of its packages
 * @param text a piece that occurs in it exactly once; white space stands for any white space
 * @param instead what stands in its place
 * @param scenario where it shows
 * @param oracle how the violation begins that must be reported
 */
record Mutant(
    String name, String file, String text, String instead, Scenario scenario, String oracle) {

  /**
   * Makes the mistake.
   *
   * @param source the whole file
   * @return the whole file with the mistake
   * @throws AssertionError if the piece doesn't occur exactly once: then the code has changed, and
   *     the mutant must follow
   */
  String in(String source) {
    Matcher matcher = pattern().matcher(source);
    long found = matcher.results().count();
    if (found != 1) {
      throw new AssertionError(
          "mutant '%s' is out of date: its text occurs %d times in %s, not once:%n%s"
              .formatted(name, found, file, text));
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

  @Override
  public String toString() {
    return name;
  }
}
