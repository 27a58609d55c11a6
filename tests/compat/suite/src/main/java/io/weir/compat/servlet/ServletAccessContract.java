package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests access lists: who is denied gets 403 at every servlet, who is allowed passes limits. */
public interface ServletAccessContract extends ServletServer {
  @Test
  default void accessListsDenyCallersEverywhereAndLetOthersThrough() throws Exception {
    Map<String, String> live = new TreeMap<>();
    ServletAppBuilder builder =
        new ServletAppBuilder(this)
            .servlet("/hello", new Servlets.Hello())
            .servlet("/free", new Servlets.Free())
            .setting("weir.proxy.trusted", "127.0.0.1")
            .parts(parts -> parts.liveSettings(() -> live));
    String denied = "X-Forwarded-For: 203.0.113.9";
    String other = "X-Forwarded-For: 192.0.2.1";
    try (ServletApp app = builder.start()) {
      assertEquals(List.of(200), app.statuses(1, "GET", "/free", denied));
      live.put("weir.access.deny", "203.0.113.0/24");
      app.weir().refresh();
      for (String path : List.of("/hello", "/free")) {
        assertEquals(List.of(403), app.statuses(1, "GET", path, denied));
      }
      Answer answer = app.get("/free", denied);
      assertTrue(answer.body().contains("\"title\":\"Forbidden\""), answer.body());
      for (String field : List.of("RateLimit", "RateLimit-Policy", "Retry-After")) {
        assertEquals(Optional.empty(), answer.header(field));
      }
      assertEquals(List.of(200, 200, 429), app.statuses(3, "GET", "/hello", other));
      live.put("weir.access.allow", "192.0.2.0/24");
      app.weir().refresh();
      assertEquals(List.of(200, 200), app.statuses(2, "GET", "/hello", other));
    }
  }
}
