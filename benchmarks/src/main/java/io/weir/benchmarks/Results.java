package io.weir.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The file RESULTS.md: one section for each suite, in the order of {@link Suites#EVERY}, which a
 * full run of it replaces.
 *
 * <p>What a person has to say of a suite is {@code notes/<suite>.md}. Its first paragraph ends the
 * section; how it is measured and what was tried stays there. Confine to one thread.
 */
final class Results {
  private static final String HEAD =
      """
      # What was measured

      Written by `benchmarks/run`; how to read it: each figure is the median of several rounds, the spread is from the
      lowest to the highest of them, and what is compared ran in turns in one run. Figures of different sections, or of
      different machines, can't be compared. `✗` marks a target that was missed: by the median where sides are compared, by
      any round where something is promised, such as that nothing is beyond a limit. `~` marks a median whose rounds lie on
      both sides of the target: another run may judge otherwise. How each suite measures, and what was tried, is in
      [notes](notes).

      """;
  private static final Pattern SECTION = Pattern.compile("(?ms)^## ([a-z]+)\n.*?(?=^## |\\z)");

  private final Path directory;

  Results(Path directory) {
    this.directory = directory;
  }

  void write(BenchmarkSuite suite, Report report, Duration took) throws IOException {
    Path file = directory.resolve("RESULTS.md");
    Map<String, String> sections = new HashMap<>();
    if (Files.exists(file)) {
      Matcher matcher = SECTION.matcher(Files.readString(file));
      while (matcher.find()) {
        sections.put(matcher.group(1), matcher.group());
      }
    }
    sections.put(suite.name(), section(suite, report, took));
    String body =
        Suites.EVERY.stream()
            .map(each -> sections.getOrDefault(each.name(), "").strip())
            .filter(each -> !each.isEmpty())
            .collect(Collectors.joining("\n\n"));
    Files.writeString(file, HEAD + tidy(body));
  }

  /** As the build wants all its texts. */
  private static String tidy(String text) {
    return text.lines().map(String::stripTrailing).collect(Collectors.joining("\n", "", "\n"));
  }

  private String section(BenchmarkSuite suite, Report report, Duration took) throws IOException {
    StringBuilder text = new StringBuilder("## " + suite.name() + "\n\n");
    text.append(suite.about()).append("\n\n");
    text.append(
        String.format(
            Locale.ROOT,
            "`benchmarks/run %s`, %s, %d s. ",
            suite.name(),
            date(),
            took.toSeconds()));
    text.append(Machine.line()).append(". ");
    report.settings().forEach((name, value) -> text.append(name + ": " + value + ". "));
    text.append("\n\n").append(figures(report)).append('\n');
    report.tables().forEach(table -> text.append(table.markdown()).append('\n'));
    return text + note(suite);
  }

  /** Returns the first paragraph of what a person has to say, and where the rest is. */
  private String note(BenchmarkSuite suite) throws IOException {
    Path file = directory.resolve("notes").resolve(suite.name() + ".md");
    if (!Files.exists(file)) {
      return "";
    }
    String[] parts = Files.readString(file).strip().split("\n\n", 2);
    String rest = "More: [notes/%1$s.md](notes/%1$s.md).\n\n".formatted(suite.name());
    return parts[0] + "\n\n" + (parts.length > 1 ? rest : "");
  }

  // A report says when it was made; nothing is decided by it.
  private static LocalDate date() {
    return LocalDate.now(java.time.ZoneOffset.UTC);
  }

  private static String figures(Report report) {
    List<List<String>> rows = new ArrayList<>();
    for (Figure figure : report.figures()) {
      Target target = Target.ALL.get(figure.name());
      rows.add(
          List.of(
              "`" + figure.name() + "`",
              Figure.number(figure.value()) + " " + figure.unit(),
              figure.spread(),
              target == null ? "" : target.toString(),
              target == null ? "" : mark(target, figure)));
    }
    return new Table("", List.of("figure", "value", "spread", "target", ""), rows).markdown();
  }

  private static String mark(Target target, Figure figure) {
    return (target.metBy(figure) ? "✓" : "✗") + (target.isCrossedBy(figure) ? " ~" : "");
  }
}
