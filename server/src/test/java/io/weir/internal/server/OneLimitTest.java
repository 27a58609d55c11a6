package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.weir.Weir;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.RedisServer;
import io.weir.grpc.v1.CheckRequest;
import io.weir.grpc.v1.RateLimitServiceGrpc;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import io.weir.rules.Rules;
import io.weir.seeds.RunOneIn;
import io.weir.seeds.Seeds;
import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/**
 * Checks that a caller has one limit for a rule, whichever protocol it uses: HTTP, gRPC and the
 * Redis protocol of two servers, and an endpoint of an application with the same rules (PostgreSQL)
 * and store (Redis, or the same PostgreSQL).
 */
@RunOneIn(value = 2, own = true)
class OneLimitTest {
  private static final int LIMIT = 100;
  private static final int EACH = 30;
  private static final long GIVEN_BACK_MILLIS = 1_500;
  private static final int MAX_ROUNDS = 80;

  private final List<AutoCloseable> opened = new ArrayList<>();

  /** One way to ask; returns whether the request is admitted. */
  private interface Way {
    boolean admits(String user) throws Exception;
  }

  @AfterEach
  void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  private <T extends AutoCloseable> T open(T part) {
    opened.add(part);
    return part;
  }

  @Test
  void aBurstThroughAllListenersAtOnceIsAdmittedUpToTheLimit() throws Exception {
    assertAdmittedUpToTheLimit(
        open(RedisServer.start()).url(), PostgresServer.shared().newDatabase());
  }

  @Test
  void aBurstIsAdmittedUpToTheLimitOnOnePostgresForAll() throws Exception {
    String database = PostgresServer.shared().newDatabase();
    assertAdmittedUpToTheLimit(database, database);
  }

  private void assertAdmittedUpToTheLimit(String store, String database) throws Exception {
    Map<String, String> shared =
        Map.of(
            "weir.store", store,
            "weir.secret", "of the tests",
            "weir.store.timeout", "10s",
            "weir.rules", database,
            "weir.rules.timeout", "10s",
            "weir.server.listeners", "http,grpc,redis");
    RunningServer first = open(new RunningServer(shared)).awaitRules();
    RunningServer second = open(new RunningServer(shared)).awaitRules();
    Rules rules = first.service().rules();
    rules
        .rules()
        .save(
            Rule.builder("free", "/api/posts")
                .limit(LIMIT)
                .window(RuleWindow.ofSeconds(3_600))
                .build(),
            "test");
    List<Way> ways = new ArrayList<>(List.of(application(shared)));
    for (RunningServer each : List.of(first, second)) {
      ways.add(
          user -> RunningServer.json(check(each, user, first.admin())).get("allowed").asBoolean());
      ways.add(grpc(each, first.admin()));
      ways.add(redis(each, first.admin()));
    }
    for (RunningServer each : List.of(first, second)) {
      each.service().rules().refresh();
    }

    for (int burst = 0; burst < (Seeds.deep() ? 20 : 2); burst++) {
      String user = "user" + burst;
      int admitted = burst(ways, user);
      assertTrue(admitted <= LIMIT, "of " + LIMIT + " " + admitted);
      assertEquals(
          LIMIT,
          admitted + rest(ways, user, LIMIT - admitted),
          "what is left comes back to all protocols");
    }
  }

  private static int burst(List<Way> ways, String user) throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(ways.size());
    ExecutorService threads = Executors.newFixedThreadPool(ways.size());
    try {
      List<Callable<Integer>> all = new ArrayList<>();
      for (Way way : ways) {
        all.add(
            () -> {
              barrier.await();
              int admitted = 0;
              for (int i = 0; i < EACH; i++) {
                admitted += way.admits(user) ? 1 : 0;
              }
              return admitted;
            });
      }
      int admitted = 0;
      for (Future<Integer> each : threads.invokeAll(all)) {
        admitted += each.get();
      }
      return admitted;
    } finally {
      threads.shutdownNow();
    }
  }

  /** Takes what nodes had leased and give back, until all has come and no node admits any more. */
  private static int rest(List<Way> ways, String user, int all) throws Exception {
    int taken = 0;
    for (int round = 0; round < MAX_ROUNDS; round++) {
      Thread.sleep(GIVEN_BACK_MILLIS);
      int now = 0;
      for (Way way : ways) {
        while (way.admits(user)) {
          now++;
        }
      }
      taken += now;
      if (now == 0 && taken >= all) {
        return taken;
      }
    }
    return taken;
  }

  private static HttpResponse<String> check(RunningServer server, String user, String token) {
    return server.send(
        "POST",
        "/v1/ratelimit/check",
        "{\"userId\":\"" + user + "\",\"endpoint\":\"/api/posts\",\"method\":\"GET\"}",
        "Authorization",
        "Bearer " + token,
        "Content-Type",
        "application/json");
  }

  private Way grpc(RunningServer server, String token) {
    ManagedChannel channel =
        NettyChannelBuilder.forTarget(server.service().listeners().get(1).address())
            .usePlaintext()
            .build();
    open(channel::shutdownNow);
    Metadata bearer = new Metadata();
    bearer.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    var checks =
        RateLimitServiceGrpc.newBlockingStub(channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(bearer));
    return user ->
        checks
            .withDeadlineAfter(60, TimeUnit.SECONDS)
            .check(
                CheckRequest.newBuilder()
                    .setUserId(user)
                    .setEndpoint("/api/posts")
                    .setMethod("GET")
                    .build())
            .getAllowed();
  }

  private Way redis(RunningServer server, String token) {
    HostAndPort address = HostAndPort.from(server.service().listeners().get(2).address());
    Jedis client =
        open(
            new Jedis(
                address,
                DefaultJedisClientConfig.builder()
                    .password(token)
                    .socketTimeoutMillis(60_000)
                    .build()));
    return user -> {
      Object reply =
          client.sendCommand(
              () -> "WEIR.CHECK".getBytes(StandardCharsets.US_ASCII),
              user,
              "/api/posts",
              "METHOD",
              "GET");
      return ((Long) ((List<?>) reply).get(0)) == 1;
    };
  }

  /** A servlet behind the filter, in a Jetty of its own. */
  private Way application(Map<String, String> settings) throws Exception {
    Weir weir = open(Weir.builder().settings(settings).build());
    Server jetty = new Server();
    ServerConnector connector = new ServerConnector(jetty);
    connector.setHost("127.0.0.1");
    jetty.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler("/");
    Filter signIn =
        (request, response, chain) ->
            chain.doFilter(new SignedIn((HttpServletRequest) request), response);
    EnumSet<DispatcherType> requests = EnumSet.of(DispatcherType.REQUEST);
    context.addFilter(new FilterHolder(signIn), "/*", requests);
    context.addFilter(new FilterHolder(new RateLimitFilter(weir)), "/*", requests);
    context.addServlet(new ServletHolder(new Posts()), "/api/posts");
    jetty.setHandler(context);
    jetty.start();
    open(jetty::stop);
    HttpClient client = HttpClient.newHttpClient();
    URI posts = URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/api/posts");
    return user -> {
      HttpRequest request = HttpRequest.newBuilder(posts).header("X-User", user).build();
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    };
  }

  /** Resolves the user by a header. */
  private static final class SignedIn extends HttpServletRequestWrapper {
    SignedIn(HttpServletRequest request) {
      super(request);
    }

    @Override
    public Principal getUserPrincipal() {
      return () -> getHeader("X-User");
    }
  }

  /** Answers. */
  private static final class Posts extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(200);
    }
  }
}
