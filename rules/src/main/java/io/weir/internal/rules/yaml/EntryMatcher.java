package io.weir.internal.rules.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Pairs the entries of one name in the database with those in a file. Usually there is one; rules
 * that hold one after the other share a name, and so may a rule in shadow mode and the enforced
 * one. So equal entries are paired first, then those of the same state and beginning, then those of
 * the same state, then the rest by their beginning.
 *
 * <p>Confine to one thread.
 */
final class EntryMatcher {
  private static final Comparator<RulebookEntry> BY_BEGIN =
      Comparator.comparing(each -> each.columns().getOrDefault("valid_from", ""));

  private final List<RulebookEntry> before;
  private final List<RulebookEntry> after;
  private final List<EntryChange> pairs = new ArrayList<>();

  private EntryMatcher(List<RulebookEntry> before, List<RulebookEntry> after) {
    this.before = new ArrayList<>(before);
    this.after = new ArrayList<>(after);
    this.before.sort(BY_BEGIN);
    this.after.sort(BY_BEGIN);
  }

  /** Returns the pairs, and the entries that only one side has. */
  static List<EntryChange> of(List<RulebookEntry> before, List<RulebookEntry> after) {
    EntryMatcher all = new EntryMatcher(before, after);
    all.pair((was, is) -> was.columns().equals(is.columns()));
    all.pair((was, is) -> isSame("state", was, is) && isSame("valid_from", was, is));
    all.pair((was, is) -> isSame("state", was, is));
    all.pair((was, is) -> true);
    all.before.forEach(was -> all.pairs.add(new EntryChange(was, null)));
    all.after.forEach(is -> all.pairs.add(new EntryChange(null, is)));
    return all.pairs;
  }

  private static boolean isSame(String column, RulebookEntry one, RulebookEntry other) {
    return Objects.equals(one.columns().get(column), other.columns().get(column));
  }

  private void pair(BiPredicate<RulebookEntry, RulebookEntry> matches) {
    for (RulebookEntry is : List.copyOf(after)) {
      Optional<RulebookEntry> found =
          before.stream().filter(was -> matches.test(was, is)).findFirst();
      if (found.isPresent()) {
        before.remove(found.get());
        after.remove(is);
        pairs.add(new EntryChange(found.get(), is));
      }
    }
  }
}
