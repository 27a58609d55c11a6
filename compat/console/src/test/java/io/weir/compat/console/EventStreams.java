package io.weir.compat.console;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayDeque;
import java.util.Deque;

/** Takes places among the readers of events of a server, as other pages would. */
final class EventStreams implements AutoCloseable {
  /** How many readers a server has places for. */
  static final int PLACES = 32;

  private static final int OK = 200;
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final URI address;
  private final String field;
  private final String value;
  private final Deque<InputStream> open = new ArrayDeque<>();

  /** Reads with a token. */
  EventStreams(String url, String token) {
    this(url, "Authorization", "Bearer " + token);
  }

  /** Reads with another field that says who reads. */
  EventStreams(String url, String field, String value) {
    this.address = URI.create(url + "/v1/admin/ratelimit/events");
    this.field = field;
    this.value = value;
  }

  /** Takes a place, if there is one. */
  boolean take() {
    try {
      HttpResponse<InputStream> response =
          CLIENT.send(
              HttpRequest.newBuilder(address).header(field, value).build(),
              BodyHandlers.ofInputStream());
      if (response.statusCode() == OK) {
        open.add(response.body());
        return true;
      }
      response.body().close();
      return false;
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** Takes all places that there are. */
  void takeAll() {
    while (take()) {}
  }

  int size() {
    return open.size();
  }

  @Override
  public void close() {
    for (InputStream each : open) {
      try {
        each.close();
      } catch (IOException closed) {
        // that is what is wanted
      }
    }
  }
}
