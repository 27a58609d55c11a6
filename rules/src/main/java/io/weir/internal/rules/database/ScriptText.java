package io.weir.internal.rules.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Reads the scripts that make the tables. */
public final class ScriptText {
  private static final String FOLDER = "/io/weir/rules/db/";

  private ScriptText() {}

  /** Returns the text of a script, by its folder and name. */
  public static String read(String script) {
    try (InputStream bytes = ScriptText.class.getResourceAsStream(FOLDER + script)) {
      return new String(
          Objects.requireNonNull(bytes, script).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
