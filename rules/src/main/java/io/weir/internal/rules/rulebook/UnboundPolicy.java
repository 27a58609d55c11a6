package io.weir.internal.rules.rulebook;

import io.weir.internal.settings.NearestWord;
import io.weir.rules.Rule;
import java.util.Optional;
import java.util.Set;

/** Describes names of policies that an application doesn't have. */
public final class UnboundPolicy {
  /** The rest of a problem that begins with what the name isn't. */
  public static final String OF_APPLICATION =
      "policy of an annotation or setting that this application has bound so far (one made in code"
          + " isn't looked for)";

  private UnboundPolicy() {}

  /** Returns the problem of a pattern of an unknown policy, and what may have been meant. */
  public static String ofPattern(String policyName, Set<String> bound) {
    return "names no "
        + OF_APPLICATION
        + meant(policyName, bound)
            .map(near -> "; did you mean " + Rule.POLICY + near + "?")
            .orElse("");
  }

  /**
   * Finds the name that may have been meant. Generated ones may end in a digest that people leave
   * out.
   */
  public static Optional<String> meant(String name, Set<String> known) {
    return known.stream()
        .filter(each -> each.startsWith(name + "-"))
        .findFirst()
        .or(() -> NearestWord.to(name, known));
  }
}
