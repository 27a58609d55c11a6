package io.weir.policy;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.policy.draft.Annotations;
import io.weir.policy.draft.Draft;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What applies where, as aligned text: a line for each endpoint and policy.
 *
 * <p>Confine to one thread.
 */
final class PolicyTable {
  private static final List<String> HEADINGS =
      List.of("endpoint", "policy", "limit", "by", "mode", "");

  private final List<List<String>> rows = new ArrayList<>();

  /** Adds an endpoint with its policies, or says why it has none. */
  void add(Endpoint endpoint, Annotations annotations, List<BoundPolicy> policies) {
    String replaced = replaced(annotations);
    if (policies.isEmpty()) {
      String why = annotations.inForce().isPresent() ? "exempt" : "not limited";
      rows.add(List.of(endpoint.label(), "-", why, "", "", replaced));
    }
    policies.forEach(each -> add(endpoint.label(), each, replaced));
  }

  /** Adds a policy of one place. */
  void add(String place, BoundPolicy bound, String note) {
    Policy policy = bound.current();
    String notes = (notes(policy) + " " + note).trim();
    rows.add(List.of(place, policy.name(), limit(policy), by(policy), mode(policy), notes));
  }

  private static String replaced(Annotations annotations) {
    String names =
        annotations.replaced().stream().map(Draft::name).collect(Collectors.joining(", "));
    return names.isEmpty() ? "" : "replaces " + names;
  }

  private static String limit(Policy policy) {
    String tiers =
        policy.tiers().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(tier -> ", " + tier.getKey() + " " + tier.getValue())
            .collect(Collectors.joining());
    return policy.limit() + " per " + length(policy.window()) + tiers;
  }

  private static String by(Policy policy) {
    return policy.by().stream()
        .map(by -> by == By.KEY ? String.join(" + ", policy.keys()) : by.name())
        .collect(Collectors.joining(" + "));
  }

  private static String mode(Policy policy) {
    return policy.mode() == Mode.HARD ? "HARD" : policy.mode() + " +" + policy.exceedBy() + "%";
  }

  private static String notes(Policy policy) {
    List<String> notes = new ArrayList<>();
    if (policy.shadow()) {
      notes.add("shadow");
    }
    if (policy.algorithm() != Algorithm.SLIDING_WINDOW) {
      notes.add(policy.algorithm().name());
    }
    if (policy.shape().burst() > 0) {
      notes.add("burst " + policy.shape().burst());
    }
    if (policy.cost() > 1) {
      notes.add("cost " + policy.cost());
    }
    if (policy.count() != Count.ALL) {
      notes.add("counts " + policy.count());
    }
    return String.join(" ", notes);
  }

  /** A length of time in the largest unit that is exact. */
  private static String length(Duration window) {
    long millis = window.toMillis();
    if (millis * 1_000_000 != window.toNanos()) {
      return window.toString();
    }
    long[] units = {86_400_000, 3_600_000, 60_000, 1_000};
    String[] symbols = {"d", "h", "m", "s"};
    for (int index = 0; index < units.length; index++) {
      if (millis % units[index] == 0) {
        return millis / units[index] + symbols[index];
      }
    }
    return millis + "ms";
  }

  /** The lines in the order of places, under their headings. */
  String text() {
    List<List<String>> lines = new ArrayList<>(List.of(HEADINGS));
    rows.stream()
        .distinct()
        .sorted((one, other) -> one.get(0).compareTo(other.get(0)))
        .forEach(lines::add);
    int[] widths = widths(lines);
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder cells = new StringBuilder();
      for (int column = 0; column < widths.length; column++) {
        String cell = line.get(column);
        cells.append(cell).append(" ".repeat(widths[column] - cell.length() + 2));
      }
      text.append(cells.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private static int[] widths(List<List<String>> lines) {
    int[] widths = new int[HEADINGS.size()];
    for (List<String> line : lines) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], line.get(column).length());
      }
    }
    return widths;
  }
}
