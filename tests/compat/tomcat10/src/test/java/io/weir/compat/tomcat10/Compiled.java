package io.weir.compat.tomcat10;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles classes that only one application has. */
final class Compiled {
  /** A servlet, with placeholders for annotations. */
  static final String SERVLET =
      """
      package app;
      import io.weir.annotation.RateLimit;
      import jakarta.servlet.http.*;
      %s
      public class %s extends HttpServlet {
        @Override
        %s
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {}
        %s
      }
      """;

  private Compiled() {}

  /** A servlet whose method has a limit. */
  static Map<String, String> limited(int limit) {
    String annotation = String.format(Locale.ROOT, "@RateLimit(limit = %d, window = 3600)", limit);
    return Map.of("app.Limited", SERVLET.formatted("", "Limited", annotation, ""));
  }

  /** Compiles sources by the names of their classes. */
  static void into(Path classes, Map<String, String> sources) throws Exception {
    Files.createDirectories(classes);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter says = new StringWriter();
    String path =
        Stream.of(RateLimit.class, HttpServlet.class)
            .map(each -> each.getProtectionDomain().getCodeSource().getLocation().getPath())
            .collect(Collectors.joining(System.getProperty("path.separator")));
    List<String> options =
        List.of("-proc:none", "-classpath", path, "-d", classes.toString(), "--release", "17");
    List<JavaFileObject> files = new ArrayList<>();
    sources.forEach((name, text) -> files.add(new Source(name, text)));
    assertTrue(compiler.getTask(says, null, null, options, null, files).call(), says::toString);
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
