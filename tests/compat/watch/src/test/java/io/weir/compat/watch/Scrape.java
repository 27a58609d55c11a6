package io.weir.compat.watch;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics of Prometheus texts: the values of each label by metric and label. */
record Scrape(Map<String, Map<String, Set<String>>> metrics) {
  private static final Pattern SAMPLE =
      Pattern.compile("^([a-zA-Z_:]+)(?:\\{(.*)\\})? \\S+$", Pattern.MULTILINE);
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

  static Scrape of(String... texts) {
    Map<String, Map<String, Set<String>>> all = new TreeMap<>();
    for (String text : texts) {
      Matcher sample = SAMPLE.matcher(text);
      while (sample.find()) {
        Map<String, Set<String>> labels =
            all.computeIfAbsent(sample.group(1), first -> new TreeMap<>());
        if (sample.group(2) != null) {
          LABEL
              .matcher(sample.group(2))
              .results()
              .forEach(
                  each ->
                      labels
                          .computeIfAbsent(each.group(1), first -> new TreeSet<>())
                          .add(each.group(2)));
        }
      }
    }
    return new Scrape(all);
  }

  Map<String, Set<String>> labels(String metric) {
    return metrics.getOrDefault(metric, Map.of());
  }
}
