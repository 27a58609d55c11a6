package io.weir.compat.watch;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A query that is part of Weir.
 *
 * @param origin names the file or page, for messages
 * @param text as written there
 */
record Query(String origin, String text) {
  private static final Pattern METRIC = Pattern.compile("\\bweir_[a-z_]+");
  private static final Pattern SELECTOR =
      Pattern.compile("\\b(weir_[a-z_]+)\\{((?:[^}\"]|\"[^\"]*\")*)\\}");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");
  private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on) \\(([^)]*)\\)");

  /** A condition on a label: its name, and the values that it lists; none for a variable. */
  record LabelMatcher(String label, List<String> values) {}

  /** Returns the metrics that it reads. */
  Set<String> metrics() {
    return METRIC
        .matcher(text.replaceAll("policy:\\w+:\\w+", ""))
        .results()
        .map(MatchResult::group)
        .filter(each -> !each.equals("weir_refused"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the conditions on labels, by the metric. */
  Map<String, List<LabelMatcher>> matchers() {
    Map<String, List<LabelMatcher>> all = new LinkedHashMap<>();
    SELECTOR
        .matcher(text)
        .results()
        .forEach(
            each ->
                all.merge(
                    each.group(1),
                    MATCHER
                        .matcher(each.group(2))
                        .results()
                        .map(label -> new LabelMatcher(label.group(1), values(label.group(3))))
                        .toList(),
                    (one, other) -> Stream.concat(one.stream(), other.stream()).toList()));
    return all;
  }

  private static List<String> values(String pattern) {
    return pattern.startsWith("$") ? List.of() : Arrays.asList(pattern.split("\\|"));
  }

  /** Returns the labels that it groups by or joins on. */
  Set<String> groupings() {
    return GROUPING
        .matcher(text)
        .results()
        .flatMap(each -> Arrays.stream(each.group(1).split(",\\s*")))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Fills in variables as Grafana does. Leaves out what hides that there is no series: a default of
   * 0, comparisons that drop series, and how it was at another time, when nothing ran yet.
   */
  String filled(String policy) {
    return text.replace("$job", ".*")
        .replace("$instance", ".*")
        .replace("$policy", policy)
        .replace("$__rate_interval", "1m")
        .replace(" or vector(0)", "")
        .replaceAll(" offset \\w+", "")
        .replaceAll("(==|[<>]) (?=[0-9])", "$1 bool ");
  }
}
