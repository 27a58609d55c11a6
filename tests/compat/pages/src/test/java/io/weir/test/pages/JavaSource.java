package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/** Compiles the Java of pages. */
final class JavaSource {
  private JavaSource() {}

  /**
   * Compiles a class with the class path of the tests and what the folder has already.
   *
   * @param folder where source and classes go
   * @param place what a mistake is reported for
   */
  static void compile(Path folder, String name, String source, String place) throws IOException {
    Path file = folder.resolve(name + ".java");
    Files.writeString(file, source);
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                errors,
                errors,
                "-proc:none",
                "-parameters",
                "-cp",
                folder + File.pathSeparator + System.getProperty("java.class.path"),
                "-d",
                folder.toString(),
                file.toString());
    assertEquals(0, status, () -> place + ": " + errors.toString(StandardCharsets.UTF_8));
  }
}
