package io.weir.compat.release;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Verifies signatures by {@code gpg}, with the public keys in one folder. */
final class GpgVerifier implements SignatureVerifier {
  private final Path home;

  GpgVerifier(Path home) {
    this.home = home;
  }

  @Override
  public boolean isValid(byte[] content, byte[] signature) {
    try {
      Path folder = Files.createTempDirectory("weir-signature");
      Path file = Files.write(folder.resolve("file"), content);
      Path detached = Files.write(folder.resolve("file.asc"), signature);
      try {
        return run(List.of("--verify", detached.toString(), file.toString())) == 0;
      } finally {
        Files.delete(file);
        Files.delete(detached);
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("gpg can't be run: install GnuPG", e);
    }
  }

  private int run(List<String> arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("gpg", "--homedir", home.toString(), "--batch");
    builder.command().addAll(arguments);
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      return builder.start().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while gpg verified a signature", e);
    }
  }
}
