package io.weir.internal.policy;

import io.weir.Policy;
import io.weir.annotation.By;
import io.weir.annotation.Mode;
import io.weir.internal.policy.draft.EndpointAnnotations;
import io.weir.internal.policy.draft.PolicyDraft;
import io.weir.internal.settings.PolicyMembers;
import io.weir.internal.settings.WindowUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Writes the table of all policies as aligned text, with a line for each endpoint and policy.
 *
 * <p>Confine to one thread.
 */
final class PolicyTableWriter {
  private static final List<String> HEADINGS =
      List.of("endpoint", "policy", "limit", "by", "mode", "");

  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Adds an endpoint with its policies, or the reason that it has none.
   *
   * @param together all that apply there, including those by URL
   */
  void add(
      JavaEndpoint endpoint,
      EndpointAnnotations annotations,
      List<LivePolicy> policies,
      List<LivePolicy> together) {
    String replaced = replaced(annotations);
    if (policies.isEmpty()) {
      String why = annotations.inForce().isPresent() ? "exempt" : "not limited";
      rows.add(List.of(endpoint.label(), "-", why, "", "", replaced));
    }
    for (LivePolicy each : policies) {
      add(endpoint.label(), each, together, replaced);
    }
  }

  /**
   * Adds a policy of one place.
   *
   * @param together all that apply where it does
   */
  void add(String place, LivePolicy bound, List<LivePolicy> together, String note) {
    Policy policy = bound.current();
    String stricter =
        CriticalPriorityCheck.stricter(bound, together)
            .map(names -> "but with " + names)
            .orElse("");
    String notes =
        Stream.of(notes(policy), bound.now().except().note(), stricter, note)
            .filter(each -> !each.isEmpty())
            .collect(Collectors.joining(" "));
    rows.add(List.of(place, policy.name(), limit(policy), by(policy), mode(policy), notes));
  }

  private static String replaced(EndpointAnnotations annotations) {
    List<PolicyDraft> replaced = annotations.replaced();
    return replaced.isEmpty()
        ? ""
        : "replaces " + replaced.stream().map(PolicyDraft::name).collect(Collectors.joining(", "));
  }

  private static String limit(Policy policy) {
    StringBuilder text = new StringBuilder();
    text.append(policy.limit()).append(" per ").append(window(policy));
    new TreeMap<>(policy.tiers())
        .forEach(
            (tier, limit) -> {
              text.append(", ").append(tier).append(' ').append(limit);
              Policy ofTier = policy.forTier(tier);
              if (!ofTier.equals(policy)) {
                text.append(" refill ").append(ofTier.refill());
              }
            });
    return text.toString();
  }

  private static String window(Policy policy) {
    return policy
        .spec()
        .calendar()
        .map(each -> WindowUnit.text(each.amount(), each.unit()) + " of " + each.zone())
        .orElseGet(() -> WindowUnit.text(policy.window()));
  }

  private static String by(Policy policy) {
    return policy.by().stream()
        .map(each -> each == By.KEY ? String.join(" + ", policy.keys()) : each.name())
        .collect(Collectors.joining(" + "));
  }

  private static String mode(Policy policy) {
    return policy.mode() == Mode.HARD ? "HARD" : policy.mode() + " +" + policy.exceedBy() + "%";
  }

  private static String notes(Policy policy) {
    return PolicyMembers.ALL.stream()
        .map(each -> each.note(policy))
        .filter(note -> !note.isEmpty())
        .collect(Collectors.joining(" "));
  }

  /** Returns the lines under their headings, ordered by place. */
  String text() {
    List<List<String>> lines = new ArrayList<>(new LinkedHashSet<>(rows));
    lines.sort(Comparator.comparing(line -> line.get(0)));
    lines.add(0, HEADINGS);
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
    return IntStream.range(0, HEADINGS.size())
        .map(column -> lines.stream().mapToInt(each -> each.get(column).length()).max().orElse(0))
        .toArray();
  }
}
