package io.weir.internal.server.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.RateLimiter;
import io.weir.internal.server.access.Identity;
import io.weir.internal.server.access.Role;
import io.weir.seeds.RequiredPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests another implementation of gRPC, from npm, with Weir's protos. Skipped without npm. */
class NodeClientTest {
  private static final Path SOURCES = Path.of("src/test/node/grpc-js");
  private static final Path INSTALLED = Path.of("target/node/grpc-js");

  @TempDir Path folder;

  @Test
  void grpcJsIsAnswered() throws Exception {
    RequiredPrograms.assumePresent("node", "npm");
    RequiredPrograms.assumePresent(install(), "@grpc/grpc-js from npm");
    Files.writeString(
        folder.resolve("shop.yaml"),
        """
        domain: shop
        descriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: 3}}]
        """);
    GrpcServerBuilder builder =
        GrpcServer.builder()
            .authenticator(
                token ->
                    token.equals("secret")
                        ? Optional.of(new Identity(Set.of(Role.CHECK), Optional.empty()))
                        : Optional.empty());
    try (EnvoyServer server = EnvoyServer.start(RateLimiter.inProcess(), builder, folder)) {
      String answers = client(server.port(), "secret");
      assertTrue(answers.contains("\"overallCode\":\"OK\""), answers);
      assertTrue(answers.contains("\"limitRemaining\":1"), answers);
      assertTrue(answers.contains("\"overallCode\":\"OVER_LIMIT\""), answers);
      assertTrue(answers.contains("\"code\":\"INVALID_ARGUMENT\""), answers);
      String refused = client(server.port(), "wrong");
      assertTrue(refused.contains("\"code\":\"UNAUTHENTICATED\""), refused);
    }
  }

  private static boolean install() throws Exception {
    Files.createDirectories(INSTALLED);
    for (String file : List.of("package.json", "client.js")) {
      Files.copy(
          SOURCES.resolve(file), INSTALLED.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    return Files.isDirectory(INSTALLED.resolve("node_modules/@grpc/grpc-js"))
        || run(INSTALLED, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts") == 0;
  }

  private static int run(Path directory, String... command) throws Exception {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("output.txt").toFile())
              .start();
      if (process.waitFor(2, TimeUnit.MINUTES)) {
        return process.exitValue();
      }
      process.destroyForcibly();
      return -1;
    } catch (IOException missing) {
      return -1;
    }
  }

  private static String client(int port, String token) throws Exception {
    Path protos = Path.of("src/main/proto").toAbsolutePath();
    int status = run(INSTALLED, "node", "client.js", "" + port, protos.toString(), token);
    String output = Files.readString(INSTALLED.resolve("output.txt"));
    assertEquals(0, status, output);
    return output;
  }
}
