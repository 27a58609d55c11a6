package io.weir.test.architecture;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/**
 * Finds circles of classes within a package: classes that all depend on each other, directly or
 * through others of the circle. Nested classes count as their outermost one.
 *
 * <p>To list those of a module: {@code java Circles.java runtime/target/classes}, with this file's
 * path.
 *
 * <p>How this works: {@code jdeps} lists the classes that each class depends on; Tarjan's algorithm
 * (1972) finds the strongly connected components.
 */
public final class Circles {
  private static final Pattern DEPENDENCY = Pattern.compile("\\s+(\\S+)\\s+-> (\\S+)\\s.*");

  private final Map<String, TreeSet<String>> dependencies = new TreeMap<>();
  private final Map<String, Integer> index = new HashMap<>();
  private final Map<String, Integer> lowest = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final List<String> found = new ArrayList<>();

  private Circles() {}

  /**
   * Finds the circles below a directory of class files.
   *
   * @param classes such as {@code target/classes}
   * @return each circle as {@code package: Class, Class}, in alphabetical order
   */
  public static List<String> in(Path classes) {
    Circles circles = new Circles();
    dependencies(classes).lines().forEach(circles::read);
    if (circles.dependencies.isEmpty()) {
      throw new IllegalArgumentException("no classes that depend on each other in " + classes);
    }
    for (String each : circles.dependencies.keySet()) {
      if (!circles.index.containsKey(each)) {
        circles.visit(each);
      }
    }
    return circles.found.stream().sorted().toList();
  }

  /**
   * Finds the circles of the module that a class belongs to.
   *
   * @param type any class of the module's main code
   * @return see {@link #in(Path)}
   */
  public static List<String> inModuleOf(Class<?> type) {
    try {
      return in(Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()));
    } catch (URISyntaxException impossible) {
      throw new IllegalArgumentException(type + " has no location", impossible);
    }
  }

  private static String dependencies(Path classes) {
    ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
    StringWriter text = new StringWriter();
    int status =
        jdeps.run(
            new PrintWriter(text),
            new PrintWriter(text),
            "-v",
            "-cp",
            "none",
            "--multi-release",
            "base",
            classes.toString());
    if (status != 0) {
      throw new IllegalArgumentException("jdeps failed for " + classes + ": " + text);
    }
    return text.toString();
  }

  private void read(String line) {
    Matcher parts = DEPENDENCY.matcher(line);
    if (parts.matches()) {
      String from = outermost(parts.group(1));
      String to = outermost(parts.group(2));
      if (!from.equals(to) && packageOf(from).equals(packageOf(to))) {
        dependencies.computeIfAbsent(from, key -> new TreeSet<>()).add(to);
      }
    }
  }

  private static String outermost(String type) {
    int nested = type.indexOf('$');
    return nested < 0 ? type : type.substring(0, nested);
  }

  private static String packageOf(String type) {
    return type.substring(0, Math.max(0, type.lastIndexOf('.')));
  }

  private void visit(String type) {
    index.put(type, index.size());
    lowest.put(type, index.get(type));
    open.push(type);
    for (String used : dependencies.getOrDefault(type, new TreeSet<>())) {
      if (!index.containsKey(used)) {
        visit(used);
        lowest.merge(type, lowest.get(used), Math::min);
      } else if (open.contains(used)) {
        lowest.merge(type, index.get(used), Math::min);
      }
    }
    if (lowest.get(type).equals(index.get(type))) {
      close(type);
    }
  }

  private void close(String first) {
    TreeSet<String> circle = new TreeSet<>();
    String type;
    do {
      type = open.pop();
      circle.add(type.substring(type.lastIndexOf('.') + 1));
    } while (!type.equals(first));
    if (circle.size() > 1) {
      found.add(packageOf(first) + ": " + String.join(", ", circle));
    }
  }

  /**
   * Prints the circles of some modules, and how many they are.
   *
   * @param classes directories of class files
   */
  public static void main(String[] classes) {
    int count = 0;
    for (String each : classes) {
      List<String> circles = in(Path.of(each));
      circles.forEach(System.out::println);
      count += circles.size();
    }
    System.out.println(count + " circles");
  }
}
