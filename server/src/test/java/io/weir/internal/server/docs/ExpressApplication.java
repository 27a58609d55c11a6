package io.weir.internal.server.docs;

import io.weir.internal.server.Programs;
import io.weir.seeds.RequiredPrograms;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;

/** Runs an Express application from npm. Tests that need it are skipped without npm. */
final class ExpressApplication implements AutoCloseable {
  private static final Path SOURCES = Path.of("src/test/node/express");
  private static final Path INSTALLED = Path.of("target/node/express");

  private final Process process;
  private final int port;

  ExpressApplication() throws IOException {
    RequiredPrograms.assumePresent("node", "npm");
    Files.createDirectories(INSTALLED);
    for (String file : List.of("package.json", "application.js")) {
      Files.copy(
          SOURCES.resolve(file), INSTALLED.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    install();
    process =
        new ProcessBuilder("node", "application.js")
            .directory(INSTALLED.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    port = Integer.parseInt(Objects.requireNonNull(said.readLine(), "the application ended"));
  }

  private static void install() {
    Path express = INSTALLED.resolve("node_modules/express");
    if (!Files.isDirectory(express)) {
      Programs.run(
          INSTALLED.toAbsolutePath(),
          List.of("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"));
    }
    RequiredPrograms.assumePresent(Files.isDirectory(express), "express from npm");
  }

  int port() {
    return port;
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
