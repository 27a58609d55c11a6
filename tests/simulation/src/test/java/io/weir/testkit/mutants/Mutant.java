package io.weir.testkit.mutants;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A mistake made on purpose, and what has to notice.
 *
 * <p>Immutable.
 *
 * @param name what is wrong
 * @param scenario where it shows
 * @param promise which promise it must be seen to break
 * @param edits what is changed in the source; compiled together
 */
record Mutant(String name, Scenario scenario, String promise, List<Edit> edits) {

  Mutant(String name, Scenario scenario, String promise, Edit... edits) {
    this(name, scenario, promise, List.of(edits));
  }

  /** The changed files as they are with the mistake. */
  Map<String, String> sources() {
    Map<String, String> changed = new TreeMap<>();
    for (Edit edit : edits) {
      String source = changed.getOrDefault(edit.file(), Sources.read(edit.file()));
      changed.put(edit.file(), edit.in(source));
    }
    return changed;
  }

  @Override
  public String toString() {
    return name;
  }
}
