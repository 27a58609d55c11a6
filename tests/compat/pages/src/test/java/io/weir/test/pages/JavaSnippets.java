package io.weir.test.pages;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Compiles the Java of a page and loads it: a block with a public class as a file of its own,
 * statements as the body of a method, with the variables that the page has introduced as its
 * parameters. Classes of earlier blocks are known to later ones.
 */
final class JavaSnippets implements AutoCloseable {
  private static final Pattern PUBLIC_TYPE =
      Pattern.compile("(?m)^public (?:final |abstract )?(?:class|record|interface) (\\w+)");
  private static final Pattern IMPORT = Pattern.compile("(?m)^import .*;$");

  private final Path folder;
  private final List<String> imports;
  private final URLClassLoader loader;

  /** Makes a compiler of classes, which name their imports themselves. */
  JavaSnippets(Path folder) throws IOException {
    this(folder, List.of());
  }

  /**
   * Makes a compiler.
   *
   * @param folder an empty one
   * @param imports the packages that statements may use without naming them
   */
  JavaSnippets(Path folder, List<String> imports) throws IOException {
    this.folder = folder;
    this.imports = imports;
    this.loader =
        new URLClassLoader(new URL[] {folder.toUri().toURL()}, JavaSnippets.class.getClassLoader());
  }

  /** Compiles a block with a public class unless it is known, and returns the class. */
  Class<?> load(CodeBlock block) throws IOException, ReflectiveOperationException {
    Matcher type = PUBLIC_TYPE.matcher(block.text());
    if (!type.find()) {
      throw new AssertionError(block.place() + " has no public class");
    }
    if (!Files.exists(folder.resolve(type.group(1) + ".java"))) {
      JavaSource.compile(folder, type.group(1), block.text(), block.place());
    }
    return loader.loadClass(type.group(1));
  }

  /** Returns whether a block has a class, and no statements. */
  static boolean isClass(CodeBlock block) {
    return PUBLIC_TYPE.matcher(block.text()).find();
  }

  /**
   * Runs statements.
   *
   * @param variables their values by declaration, such as {@code Weir weir}; those that the block
   *     declares itself are left out
   */
  void run(CodeBlock block, Map<String, Object> variables)
      throws IOException, ReflectiveOperationException {
    String name = "Line" + block.line();
    Map<String, Object> given = new LinkedHashMap<>(variables);
    given.keySet().removeIf(each -> block.text().contains(each + " ="));
    String own =
        IMPORT
            .matcher(block.text())
            .results()
            .map(each -> each.group() + "\n")
            .collect(Collectors.joining());
    String source =
        imports.stream().map(each -> "import " + each + ".*;\n").collect(Collectors.joining())
            + own
            + "public final class "
            + name
            + " {\n  public static void run("
            + String.join(", ", given.keySet())
            + ") throws Exception {\n"
            + IMPORT.matcher(block.text()).replaceAll("")
            + "\n  }\n}\n";
    JavaSource.compile(folder, name, source, block.place());
    for (var method : loader.loadClass(name).getMethods()) {
      if (method.getName().equals("run")) {
        method.invoke(null, given.values().toArray());
      }
    }
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
