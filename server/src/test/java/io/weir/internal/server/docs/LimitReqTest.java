package io.weir.internal.server.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.internal.server.DebianPrograms;
import io.weir.internal.server.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs rows of docs/moving.md about nginx on a real one, at a rate of one a minute, so that no
 * permit comes back meanwhile.
 */
class LimitReqTest {
  private static final Path PAGE = Path.of("..", "docs", "moving.md");
  private static final int TRIES = 30;

  private final int port = RedisServer.freePort();

  private static String configuration(int port) throws IOException {
    StringBuilder zones = new StringBuilder();
    StringBuilder locations = new StringBuilder();
    for (String each : List.of("plain", "nodelay", "dry")) {
      zones.append("limit_req_zone $binary_remote_addr zone=" + each + ":1m rate=1r/m;\n");
    }
    locations.append(location("plain", row("limit_req zone=a;")));
    locations.append(location("nodelay", row("limit_req zone=a burst=20 nodelay;")));
    locations.append(location("dry", "limit_req zone=a; " + row("limit_req_dry_run on;")));
    return """
    daemon off;
    worker_processes 1;
    pid nginx.pid;
    error_log stderr crit;
    events { worker_connections 64; }
    http {
      access_log off;
      client_body_temp_path temp/body;
      proxy_temp_path temp/proxy;
      fastcgi_temp_path temp/fastcgi;
      uwsgi_temp_path temp/uwsgi;
      scgi_temp_path temp/scgi;
      ZONES
      server {
        listen 127.0.0.1:PORT;
        location /ready { return 200; }
        LOCATIONS
      }
    }
    """
        .replace("ZONES", zones)
        .replace("PORT", String.valueOf(port))
        .replace("LOCATIONS", locations);
  }

  /** A handler: what only returns a status isn't limited by nginx. */
  private static String location(String name, String directives) {
    String limits = directives.replace("zone=a", "zone=" + name);
    return "location /" + name + " { " + limits + " empty_gif; }\n";
  }

  /** Returns directives that the page has. */
  private static String row(String directives) throws IOException {
    String page = Files.readString(PAGE);
    String rows = page.substring(page.indexOf("\n## nginx"), page.indexOf("\n## Kong"));
    assertTrue(rows.contains(directives + "`"), () -> "the page has no " + directives);
    return directives;
  }

  @Test
  void admitsWhatThePageSays(@TempDir Path folder) throws Exception {
    Path program = DebianPrograms.need("nginx");
    Files.createDirectories(folder.resolve("temp"));
    Path config = Files.writeString(folder.resolve("nginx.conf"), configuration(port));
    Process nginx =
        Programs.start(
            folder,
            folder.resolve("said.txt"),
            List.of(
                program.toString(),
                "-p",
                folder.toString(),
                "-e",
                "stderr",
                "-c",
                config.toString()));
    try {
      Await.until("it answers", () -> !nginx.isAlive() || isReady());
      assertTrue(nginx.isAlive(), () -> said(folder));
      assertEquals(1, admitted("/plain"));
      assertEquals(21, admitted("/nodelay"));
      assertEquals(TRIES, admitted("/dry"));
    } finally {
      nginx.descendants().forEach(ProcessHandle::destroy);
      nginx.destroy();
      nginx.onExit().join();
    }
  }

  private boolean isReady() {
    try {
      return RawAnswer.get(port, "/ready").status() == 200;
    } catch (UncheckedIOException notYet) {
      return false;
    }
  }

  private static String said(Path folder) {
    try {
      return Files.readString(folder.resolve("said.txt"));
    } catch (IOException missing) {
      return missing.toString();
    }
  }

  /** Their refusals are 503. */
  private long admitted(String path) {
    return IntStream.range(0, TRIES)
        .map(each -> RawAnswer.get(port, path).status())
        .peek(status -> assertTrue(status == 200 || status == 503, () -> "" + status))
        .filter(status -> status == 200)
        .count();
  }
}
