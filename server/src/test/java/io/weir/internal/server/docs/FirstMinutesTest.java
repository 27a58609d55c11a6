package io.weir.internal.server.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.weir.internal.server.Programs;
import io.weir.internal.server.RunningServer;
import io.weir.internal.server.settings.ServerSettings;
import io.weir.seeds.RequiredPrograms;
import io.weir.spi.ModuleSetting;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs each snippet of the first five minutes of docs/service.md as it is written there. */
class FirstMinutesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;
  private RunningServer server;
  private String token;

  @BeforeEach
  void start() {
    server = new RunningServer(Map.of("weir.server.listeners", "http,grpc,redis"));
    token =
        server
            .service()
            .rules()
            .tokens()
            .create("my program", "weir-check", Optional.empty(), Optional.empty(), "test")
            .secret();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String address(int listener) {
    return server.service().listeners().get(listener).address();
  }

  private String port(int listener) {
    return address(listener).replaceFirst(".*:", "");
  }

  /** A snippet with what is this server's own. */
  private String here(String snippet) {
    return snippet
        .replace("ADMIN=weir_…", "ADMIN=" + server.admin())
        .replace("TOKEN=weir_…", "TOKEN=" + token)
        .replace("http://127.0.0.1:8070", server.url())
        .replace("127.0.0.1:8071", address(1))
        .replace("127.0.0.1:9049", address(2))
        .replace("-p 9049", "-p " + port(2));
  }

  private String shell(String script) {
    return Programs.run(folder, List.of("bash", "-euc", script));
  }

  /** Makes the rule as the page says it. */
  private void makeRule() {
    String script = ServicePage.block("The first five minutes", "sh", "curl");
    String said = shell(here(script).replace("curl ", "curl -sS "));
    assertTrue(said.contains("\"posts\""), said);
    server.service().rules().refresh();
  }

  /** The answer without the moment, which is another one each time. */
  private static JsonNode timeless(String json) throws Exception {
    JsonNode answer = JSON.readTree(json);
    ((ObjectNode) answer).remove("resetTime");
    answer.get("policies").forEach(each -> ((ObjectNode) each).remove("resetTime"));
    return answer;
  }

  @Test
  void byCurl() throws Exception {
    RequiredPrograms.assumePresent("bash", "curl");
    makeRule();
    String command = here(ServicePage.block("By curl", "sh", "curl")).replace("curl ", "curl -sS ");
    String said = shell(command);
    assertEquals(
        timeless(ServicePage.block("By curl", "json", "\"matched\": true")), timeless(said), said);
    said = shell(command.replace("/api/posts", "/api/post"));
    assertEquals(
        JSON.readTree(ServicePage.block("By curl", "json", "\"matched\": false")),
        JSON.readTree(said),
        said);
  }

  @Test
  void byRedisCli() {
    RequiredPrograms.assumePresent("bash", "curl", "redis-cli");
    makeRule();
    shell(here(ServicePage.block("By curl", "sh", "curl")).replace("curl ", "curl -sS "));
    for (String session : ServicePage.blocks("By redis-cli", "")) {
      String command = "";
      List<String> expected = new ArrayList<>();
      for (String line : (session + "> END").lines().toList()) {
        if (line.startsWith("> ")) {
          if (!command.isEmpty()) {
            compare(command, expected);
          }
          command = line.substring(2);
          expected.clear();
        } else if (!line.startsWith("$ ")) {
          expected.add(line.replaceFirst("  .*", "")); // an explanation follows
        }
      }
    }
  }

  private void compare(String command, List<String> expected) {
    List<String> said =
        shell("redis-cli --no-raw --no-auth-warning -p " + port(2) + " -a " + token + " " + command)
            .lines()
            .map(String::strip)
            .toList();
    List<String> withoutMoments = new ArrayList<>();
    for (String each : said) {
      withoutMoments.add(each.replaceFirst("\\d{10}$", "moment"));
    }
    assertEquals(
        expected.stream().map(each -> each.replaceFirst("\\d{10}$", "moment")).toList(),
        withoutMoments,
        command);
  }

  @Test
  void byJedis() throws Exception {
    String snippet = here(ServicePage.block("By Jedis", "java", "WEIR.CHECK"));
    int last = snippet.lastIndexOf('}');
    Object isAllowed =
        run(
            "import java.util.List;\nimport redis.clients.jedis.RedisClient;\n"
                + "import redis.clients.jedis.commands.ProtocolCommand;",
            "String token",
            snippet.substring(0, last) + "return isAllowed;\n" + snippet.substring(last),
            String.class,
            token);
    assertEquals(true, isAllowed);
  }

  @Test
  void byTheGrpcClientOfJava() throws Exception {
    ManagedChannel channel = NettyChannelBuilder.forTarget(address(1)).usePlaintext().build();
    try {
      Object isAllowed =
          run(
              "import io.grpc.Metadata;\nimport io.grpc.stub.MetadataUtils;\n"
                  + "import io.weir.grpc.v1.*;",
              "io.grpc.ManagedChannel channel, String token",
              ServicePage.block("By gRPC", "java", "Metadata") + "return answer.getAllowed();",
              new Class<?>[] {ManagedChannel.class, String.class},
              channel,
              token);
      assertEquals(true, isAllowed);
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void byGrpcurl() {
    RequiredPrograms.assumePresent("bash", "grpcurl");
    String protos = Path.of("src", "main", "proto").toAbsolutePath().toString();
    String said =
        shell(
            "TOKEN="
                + token
                + "\n"
                + here(ServicePage.block("By gRPC", "sh", "grpcurl"))
                    .replace("server/src/main/proto", protos));
    assertTrue(said.contains("\"allowed\": true"), said);
  }

  private Object run(String imports, String parameters, String body, Class<?> type, Object argument)
      throws Exception {
    return run(imports, parameters, body, new Class<?>[] {type}, argument);
  }

  /** Compiles a snippet as the body of a method, and runs it. */
  private Object run(
      String imports, String parameters, String body, Class<?>[] types, Object... arguments)
      throws Exception {
    Path source = folder.resolve("Snippet.java");
    Files.writeString(
        source,
        imports
            + "\npublic class Snippet {\n  public static boolean run("
            + parameters
            + ") throws Exception {\n"
            + body
            + "\n  }\n}\n");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Path errors = folder.resolve("errors.txt");
    int status;
    try (var out = Files.newOutputStream(errors)) {
      status =
          compiler.run(
              null,
              out,
              out,
              "-proc:none",
              "-cp",
              System.getProperty("java.class.path"),
              "-d",
              folder.toString(),
              source.toString());
    }
    assertEquals(0, status, () -> read(errors));
    URL[] places = {folder.toUri().toURL()};
    try (URLClassLoader loader =
        new URLClassLoader(places, FirstMinutesTest.class.getClassLoader())) {
      return loader.loadClass("Snippet").getMethod("run", types).invoke(null, arguments);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (java.io.IOException missing) {
      return missing.toString();
    }
  }

  @Test
  void thePageHasAllSettingsOfTheServer() {
    String page = ServicePage.text();
    String table = page.substring(page.indexOf("\n## Settings"));
    List<String> missing = new ArrayList<>();
    for (ModuleSetting each : new ServerSettings().settings()) {
      String name = each.name();
      boolean isThere = table.contains("`" + name + "`");
      for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
        isThere |= table.contains(", `" + name.substring(dot) + "`");
      }
      if (!isThere) {
        missing.add(name);
      }
    }
    assertEquals(List.of(), missing);
  }
}
