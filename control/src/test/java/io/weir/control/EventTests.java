package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Events are streamed as they happen. */
interface EventTests extends AdminRequests {
  int MAX_READERS = 32;

  private BufferedReader stream(String lastId) throws IOException, InterruptedException {
    return stream(ROOT, lastId);
  }

  private BufferedReader stream(String who, String lastId)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = app().request(ADMIN + "/events?seconds=30", who);
    if (!lastId.isEmpty()) {
      request.header("Last-Event-ID", lastId);
    }
    HttpResponse<InputStream> response =
        HttpClient.newHttpClient().send(request.GET().build(), BodyHandlers.ofInputStream());
    assertEquals(200, response.statusCode());
    String type = response.headers().firstValue("Content-Type").orElse("");
    boolean isGrizzly = type.isEmpty(); // which loses the type of what is flushed before its end
    assertTrue(isGrizzly || type.startsWith("text/event-stream"), response.headers()::toString);
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  private static String next(BufferedReader events, String field) throws IOException {
    String line = events.readLine();
    while (line != null && !line.startsWith(field + ": ")) {
      line = events.readLine();
    }
    return String.valueOf(line).substring(field.length() + 2);
  }

  @Test
  default void changesAreToldAsTheyHappen() throws Exception {
    String id;
    try (BufferedReader events = stream("")) {
      assertEquals("1000", next(events, "retry"));
      add("/rules", AdminTests.RULE);
      id = next(events, "id");
      assertEquals("rate_limit_rules", next(events, "event"));
      String data = next(events, "data");
      assertTrue(data.contains("\"what\":\"added\"") && data.contains("\"by\":\"root\""), data);
    }
    app().rule("gold", "/more", 5);
    try (BufferedReader events = stream(id)) {
      String data = next(events, "data");
      while (!data.contains("rowKey")) { // a warning may come between
        data = next(events, "data");
      }
      assertTrue(data.contains("/more"), "what was missed comes first: " + data);
    }
  }

  /** The stream of a reader that may no longer read ends; that of a viewer goes on. */
  @Test
  default void aViewerReadsThemToo() throws Exception {
    try (BufferedReader events = stream("eyes/weir-view", "")) {
      assertEquals("1000", next(events, "retry"));
      add("/rules", AdminTests.RULE);
      String event = next(events, "event");
      while (event.equals("outcomes")) { // of every five seconds
        event = next(events, "event");
      }
      assertEquals("rate_limit_rules", event);
    }
  }

  @Test
  default void aHeadRequestTakesNoPlaceOfAReader() throws Exception {
    for (int i = 0; i <= MAX_READERS; i++) {
      HttpRequest.Builder head = app().request(ADMIN + "/events", ROOT);
      assertEquals(405, app().send(head.method("HEAD", BodyPublishers.noBody())).status());
    }
    stream("").close();
  }
}
