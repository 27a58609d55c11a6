package io.weir.internal.writeback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Classes may know each other, but no more than three in one circle. */
class ClassCyclesTest {
  private static final String ROOT = "io.weir.internal.writeback";
  private static final int MAX = 3;

  private final Map<String, Set<String>> graph = graph();

  private static Map<String, Set<String>> graph() {
    Map<String, Set<String>> graph = new TreeMap<>();
    for (JavaClass each :
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT)) {
      Set<String> known = graph.computeIfAbsent(file(each), none -> new TreeSet<>());
      each.getDirectDependenciesFromSelf().stream()
          .map(Dependency::getTargetClass)
          .filter(target -> target.getPackageName().startsWith(ROOT))
          .forEach(target -> known.add(file(target)));
    }
    return graph;
  }

  private static String file(JavaClass type) {
    String name = type.getBaseComponentType().getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  private Set<String> reachable(String from) {
    Set<String> seen = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      for (String next : graph.getOrDefault(open.pop(), Set.of())) {
        if (seen.add(next)) {
          open.push(next);
        }
      }
    }
    return seen;
  }

  @Test
  void noMoreThanThreeClassesKnowEachOther() {
    Set<Set<String>> circles = new HashSet<>();
    for (String each : graph.keySet()) {
      Set<String> circle = new TreeSet<>(reachable(each));
      circle.removeIf(other -> !reachable(other).contains(each));
      if (circle.size() > MAX) {
        circles.add(circle);
      }
    }
    assertEquals(Set.of(), circles);
    assertTrue(graph.size() > 50, "all of them are there");
  }
}
