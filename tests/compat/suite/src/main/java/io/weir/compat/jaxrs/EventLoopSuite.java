package io.weir.compat.jaxrs;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.restassured.response.Response;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.compat.BoundRequest;
import io.weir.compat.WaitingStore;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Await;
import io.weir.compat.jaxrs.server.RawClient;
import io.weir.compat.jaxrs.server.SignInFilter;
import io.weir.spi.RequestInfo;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.container.Suspended;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests a server whose only thread is an event loop: requests overlap there, and a decision that
 * asks the store must not block it. A subclass chooses the server.
 */
public abstract class EventLoopSuite extends JaxrsServing {
  private static final long PATIENCE = 120;
  private static final List<String> USERS = List.of("alice", "bob", "carol");

  private final ExecutorService clients = Executors.newCachedThreadPool();

  /** For subclasses. */
  protected EventLoopSuite() {}

  /** Endpoints with and without a limit, each of which says for whom it works. */
  @Path("/")
  public static final class Loop {
    final Queue<AsyncResponse> suspended = new ConcurrentLinkedQueue<>();

    /** By user. */
    @GET
    @Path("limited")
    @RateLimit(limit = 3, window = 60, by = By.USER)
    public String limited() {
      return caller() + " in " + Thread.currentThread().getName();
    }

    /** By user, and answered later. */
    @GET
    @Path("suspended")
    @RateLimit(limit = 3, window = 60, by = By.USER)
    public void suspended(@Suspended AsyncResponse response) {
      suspended.add(response);
    }

    /** By address, and answered by a response that the method resumes. */
    @GET
    @Path("resumed")
    @RateLimit(limit = 3, window = 60)
    public void resumed(@Suspended AsyncResponse response) {
      response.resume("resumed");
    }

    /** By a query parameter. */
    @GET
    @Path("keyed")
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "query:q")
    public String keyed() {
      return "";
    }

    /** Without a limit. */
    @GET
    @Path("free")
    public String free() {
      return caller() + " in " + Thread.currentThread().getName();
    }
  }

  /** Counts the requests that have begun. */
  @PreMatching
  public static final class Begun implements ContainerRequestFilter {
    final AtomicInteger requests = new AtomicInteger();

    @Override
    public void filter(ContainerRequestContext context) {
      requests.incrementAndGet();
    }
  }

  /** Shows the caller that the thread of the response works for. */
  public static final class Departures implements ContainerResponseFilter {
    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
      response.getHeaders().putSingle("Seen", caller());
    }
  }

  private static String caller() {
    return BoundRequest.get().flatMap(RequestInfo::user).orElse("nobody");
  }

  @AfterEach
  final void stopClients() {
    clients.shutdownNow();
  }

  private Future<Response> send(Api api, String path, String user) {
    return clients.submit(() -> api.get(path, "User", user));
  }

  @Test
  void theLoopServesOthersWhileADecisionAsksTheStore() throws Exception {
    WaitingStore store = new WaitingStore();
    Api api =
        serving(SignInFilter.class)
            .with(new Loop())
            .setting("weir.store.timeout", "10s")
            .weir(parts -> parts.store(store))
            .start();
    Future<Response> asking = send(api, "/limited", "alice");
    Await.until(store::isAsked);
    assertEquals(200, send(api, "/free", "bob").get(PATIENCE, SECONDS).statusCode());
    assertFalse(asking.isDone(), "alice is decided, although the store hasn't answered");
    store.answer();
    assertEquals(200, asking.get(PATIENCE, SECONDS).statusCode());
  }

  @Test
  void requestsThatWaitForTheStoreAtTheSameTimeKeepTheirCallers() throws Exception {
    WaitingStore store = new WaitingStore();
    Begun begun = new Begun();
    Api api =
        serving(SignInFilter.class)
            .with(new Loop(), begun, new Departures())
            .setting("weir.store.timeout", "10s")
            .weir(parts -> parts.store(store))
            .start();
    List<Future<Response>> waiting = new ArrayList<>();
    for (String user : USERS) {
      waiting.add(send(api, "/limited", user));
      Await.until(() -> begun.requests.get() == waiting.size() && store.isAsked());
    }
    String thread = "";
    Await.until(
        () -> {
          store.answer();
          return waiting.stream().allMatch(Future::isDone);
        });
    for (int i = 0; i < USERS.size(); i++) {
      Response response = waiting.get(i).get();
      String body = response.body().asString();
      assertEquals(USERS.get(i), body.substring(0, body.indexOf(' ')));
      assertEquals(USERS.get(i), response.header("Seen"));
      assertEquals(
          thread.isEmpty() ? body.substring(body.indexOf(' ')) : thread,
          body.substring(body.indexOf(' ')),
          "one event loop");
      thread = body.substring(body.indexOf(' '));
    }
    assertEquals("nobody" + thread, api.get("/free").body().asString());
  }

  @Test
  void responsesThatOverlapBelongToTheirOwnCallers() throws Exception {
    Loop loop = new Loop();
    Api api = serving(SignInFilter.class).with(loop, new Departures()).start();
    Map<String, Future<Response>> waiting = new LinkedHashMap<>();
    for (String user : USERS) {
      waiting.put(user, send(api, "/suspended", user));
      Await.until(() -> loop.suspended.size() == waiting.size());
      String free = api.get("/free").body().asString();
      assertEquals("nobody", free.substring(0, free.indexOf(' ')));
    }
    List<AsyncResponse> responses = new ArrayList<>(loop.suspended);
    for (int i = responses.size() - 1; i >= 0; i--) {
      responses.get(i).resume("late");
    }
    for (String user : USERS) {
      Response response = Objects.requireNonNull(waiting.get(user)).get(PATIENCE, SECONDS);
      assertEquals("late", response.body().asString());
      assertEquals(2, Api.left(response));
      assertEquals(1, Api.left(resumed(api, loop, user)));
    }
  }

  @Test
  void filtersOfAResumedResponseKnowWhoHasSignedIn() throws Exception {
    Api api = serving(SignInFilter.class).with(new Loop(), new Departures()).start();
    assertEquals("alice", api.get("/resumed", "User", "alice").header("Seen"));
    assertEquals("nobody", api.get("/resumed").header("Seen"));
  }

  /** These servers pass on what is no URI, and RESTEasy then shows no query at all. */
  @Test
  void aQueryThatCannotBeReadIsRefused() throws Exception {
    Api api = serving(SignInFilter.class).with(new Loop()).start();
    assertEquals(200, api.get("/keyed?q=victim").statusCode());
    for (String query : List.of("x=%zz&q=victim", "%=&q=victim", "q=victim&%")) {
      Optional<RawClient.Answer> answer =
          RawClient.send(api.base(), "GET /keyed?" + query + " HTTP/1.1");
      assertEquals(400, answer.orElseThrow().status(), query);
    }
    assertEquals(429, api.get("/keyed?q=victim").statusCode());
  }

  private Response resumed(Api api, Loop loop, String user) throws Exception {
    loop.suspended.clear();
    Future<Response> next = send(api, "/suspended", user);
    Await.until(() -> !loop.suspended.isEmpty());
    loop.suspended.remove().resume("later");
    return next.get(PATIENCE, SECONDS);
  }
}
