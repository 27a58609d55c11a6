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
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Takes places among the readers of events of a server, as other pages would. */
final class EventStreams implements AutoCloseable {
  /** How many readers a server has places for. */
  static final int PLACES = 32;

  /** The most that one caller may take. */
  private static final int OF_CALLER = 8;

  /** One more than take all places. */
  private static final int CALLERS = PLACES / OF_CALLER + 1;

  private static final int OK = 200;
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final URI address;
  private final String field;
  private final List<String> callers;
  private final Deque<InputStream> open = new ArrayDeque<>();

  /** Reads with tokens, which are made by their numbers. */
  static EventStreams ofTokens(String url, IntFunction<String> tokens) {
    return new EventStreams(url, "Authorization", number -> "Bearer " + tokens.apply(number));
  }

  /** Reads with another field that says who reads, by the number of the caller. */
  EventStreams(String url, String field, IntFunction<String> values) {
    this.address = URI.create(url + "/v1/admin/ratelimit/events");
    this.field = field;
    this.callers = IntStream.range(0, CALLERS).mapToObj(values).toList();
  }

  /** Takes a place, if there is one. */
  boolean take() {
    String value = callers.get(Math.min(open.size() / OF_CALLER, CALLERS - 1));
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
