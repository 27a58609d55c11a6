package io.weir.compat.example;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;

/**
 * Sends logins of an example, many at once.
 *
 * @param base the address of the example, with a slash at the end
 */
record Logins(URI base) {
  static final String FORM = "application/x-www-form-urlencoded";
  static final String JSON = "application/json";

  /** Requests at once. */
  static final int AT_ONCE = 8;

  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /**
   * One login.
   *
   * @param address the caller, behind a trusted proxy
   * @param query with a question mark; empty if there is none
   */
  record Login(String address, String query, String type, String body) {
    static Login form(String address, String user, String password) {
      return new Login(address, "", FORM, "user=" + user + "&password=" + password);
    }

    static Login json(String address, String user, String password) {
      return new Login(
          address, "", JSON, "{\"user\":\"" + user + "\",\"password\":\"" + password + "\"}");
    }
  }

  HttpResponse<String> send(Login login) {
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve("/api/login" + login.query()))
            .timeout(LONGEST)
            .header("X-Forwarded-For", login.address())
            .header("Content-Type", login.type())
            .POST(HttpRequest.BodyPublishers.ofString(login.body()))
            .build();
    try {
      return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }

  /** Sends logins by number, some at once, and returns how often each status was answered. */
  Map<Integer, Integer> sendAll(int count, IntFunction<Login> logins) {
    Map<Integer, Integer> statuses = new ConcurrentHashMap<>();
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    ExecutorService senders = Executors.newFixedThreadPool(AT_ONCE);
    for (int i = 0; i < count; i++) {
      Login login = logins.apply(i);
      senders.execute(
          () -> {
            try {
              statuses.merge(send(login).statusCode(), 1, Integer::sum);
            } catch (RuntimeException failed) {
              failure.set(failed);
            }
          });
    }
    senders.shutdown();
    try {
      if (!senders.awaitTermination(10, TimeUnit.MINUTES)) {
        throw new IllegalStateException("the logins weren't answered");
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    if (failure.get() != null) {
      throw failure.get();
    }
    return new TreeMap<>(statuses);
  }
}
