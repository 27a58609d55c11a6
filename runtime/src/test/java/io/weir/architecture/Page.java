package io.weir.architecture;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page in Markdown.
 *
 * @param links the targets of its links, except to other sites
 * @param anchors the fragments that a link to it may have
 */
record Page(List<String> links, Set<String> anchors) {
  private static final Pattern FENCE = Pattern.compile("^\\s*(```|~~~)");
  private static final Pattern HEADING = Pattern.compile("^#{1,6}\\s+(.*?)\\s*#*$");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern LINK =
      Pattern.compile("\\]\\(\\s*<?([^()\\s>]+(?:\\([^()]*\\))?)>?(?:\\s+\"[^\"]*\")?\\s*\\)");
  private static final Pattern REFERENCE =
      Pattern.compile("^\\s{0,3}\\[[^\\]]+\\]:\\s*<?(\\S+?)>?$");
  private static final Pattern ELSEWHERE = Pattern.compile("^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|//).*");
  private static final Pattern NAMED = Pattern.compile("<a\\s+(?:id|name)=\"([^\"]+)\"");

  static Page read(Path file) throws IOException {
    return of(Files.readAllLines(file));
  }

  static Page of(List<String> lines) {
    List<String> links = new ArrayList<>();
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> times = new HashMap<>();
    boolean fenced = false;
    for (String line : lines) {
      if (FENCE.matcher(line).find()) {
        fenced = !fenced;
      } else if (!fenced) {
        Matcher heading = HEADING.matcher(line);
        if (heading.matches()) {
          String anchor = anchor(heading.group(1));
          int before = times.merge(anchor, 1, Integer::sum) - 1;
          anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        NAMED.matcher(line).results().forEach(named -> anchors.add(named.group(1)));
        String text = CODE.matcher(line).replaceAll("");
        LINK.matcher(text).results().forEach(link -> links.add(link.group(1)));
        REFERENCE.matcher(text).results().forEach(link -> links.add(link.group(1)));
      }
    }
    links.removeIf(link -> ELSEWHERE.matcher(link).matches());
    return new Page(links, anchors);
  }

  /** Makes the anchor of a heading as sites that render Markdown do. */
  private static String anchor(String heading) {
    return heading
        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
        .replace(' ', '-');
  }

  /** Finds the mistake in a link of a page. */
  static Optional<String> trouble(Path page, String link) throws IOException {
    int sharp = link.indexOf('#');
    String name = sharp < 0 ? link : link.substring(0, sharp);
    Path target =
        name.isEmpty()
            ? page
            : page.resolveSibling(URLDecoder.decode(name, StandardCharsets.UTF_8)).normalize();
    if (!Files.exists(target)) {
      return Optional.of("leads to no file");
    }
    boolean found =
        sharp < 0
            || !target.toString().endsWith(".md")
            || read(target).anchors().contains(link.substring(sharp + 1));
    return found ? Optional.empty() : Optional.of("leads to no heading");
  }
}
