package io.weir.internal.rules.rulebook;

import io.weir.annotation.By;
import io.weir.rules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The keys of a rule, as policies have them: the words of annotations, and key expressions. */
public record CountBy(List<By> by, List<String> keys) {
  private static final Set<String> WORDS = Set.of("USER", "IP", "ENDPOINT");
  private static final List<String> USER = List.of("USER");
  private static final CountBy OF_USER = new CountBy(List.of(By.USER), List.of());

  public CountBy {
    by = List.copyOf(by);
    keys = List.copyOf(keys);
  }

  public static CountBy of(Rule rule) {
    if (rule.countBy().equals(USER)) {
      return OF_USER;
    }
    List<By> by = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (String each : rule.countBy()) {
      if (WORDS.contains(each)) {
        by.add(By.valueOf(each));
      } else {
        keys.add(each);
        if (!by.contains(By.KEY)) {
          by.add(By.KEY);
        }
      }
    }
    return new CountBy(by, keys);
  }

  /**
   * Returns whether it needs the user, or a resolver of the application, which may need the user.
   */
  boolean needsUser() {
    return by.contains(By.USER);
  }

  public boolean countsAddresses() {
    return by.equals(List.of(By.IP));
  }
}
