package io.weir.testkit.mutants;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The runtime's source files, and classes compiled from changed ones without touching a disk. */
final class Sources {
  private static final Path ROOT = Path.of("../../runtime/src/main/java");

  /** Without a release: the classes run on this Java, so no older API is looked up. */
  private static final List<String> OPTIONS =
      List.of("-proc:none", "-Xlint:none", "-nowarn", "-implicit:none");

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** One for all: it remembers what is in the jars of the class path. Guarded by itself. */
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, Locale.ROOT, null);

  private Sources() {}

  static String read(String file) {
    try {
      return Files.readString(ROOT.resolve(file));
    } catch (IOException missing) {
      throw new AssertionError("no source file " + file + ": has it moved?", missing);
    }
  }

  /** The classes of these source files by name; the others are those of the class path. */
  static Map<String, byte[]> compile(Map<String, String> texts) {
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    InMemory output = new InMemory(FILES);
    List<Source> sources = new ArrayList<>();
    texts.forEach((file, text) -> sources.add(new Source(file, text)));
    synchronized (FILES) {
      if (!COMPILER.getTask(null, output, problems, OPTIONS, null, sources).call()) {
        throw new AssertionError("doesn't compile with the mistake: " + errors(problems));
      }
    }
    return output.classes();
  }

  private static List<String> errors(DiagnosticCollector<JavaFileObject> problems) {
    return problems.getDiagnostics().stream()
        .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
        .map(problem -> problem.getLineNumber() + ": " + problem.getMessage(Locale.ROOT))
        .toList();
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String file, String text) {
      super(URI.create("memory:///" + file), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

    InMemory(JavaFileManager standard) {
      super(standard);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      written.put(name, bytes);
      return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
        @Override
        public OutputStream openOutputStream() {
          return bytes;
        }
      };
    }

    Map<String, byte[]> classes() {
      Map<String, byte[]> classes = new HashMap<>();
      written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
      return classes;
    }
  }
}
