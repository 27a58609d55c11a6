package io.weir.compat.servlet;

import static io.weir.compat.servlet.ServletApp.list;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.compat.FirstAddressFilter;
import io.weir.servlet.RateLimitFilter;
import io.weir.spi.RequestInfo;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests whose address counts where a filter before Weir's reports another one. */
public interface ServletPeerContract extends ServletServer {
  /** Has a limit of two for each address. */
  final class Two extends CountingServlet {
    @Override
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "two")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Has the same limit for what the application reads as the address. */
  final class Client extends CountingServlet {
    @Override
    @RateLimit(limit = 2, window = 60, by = By.KEY, key = "client", name = "client")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  @Test
  default void theApplicationReadsTheAddressThatCounts() throws Exception {
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/client", new Client())
            .setting("weir.proxy.trusted", "127.0.0.1")
            .parts(parts -> parts.keyResolver("client", RequestInfo::address))
            .filters(
                (context, weir) ->
                    ServletAppBuilder.filter(context, "weir", new RateLimitFilter(weir), "/*"));
    try (ServletApp app = builder.start()) {
      List<Integer> statuses = new ArrayList<>();
      for (String each : List.of("2001:db8::1", "2001:DB8:0::2", "2001:db8::3", "2001:db8:1::1")) {
        statuses.add(app.get("/client", "X-Forwarded-For: " + each).status());
      }
      assertEquals(list(200, 200, 429, 200), statuses);
    }
  }

  /** Starts to build an application with such a filter before Weir's. */
  private ServletAppBuilder wrapped() {
    return ServletApp.on(this)
        .servlet("/two", new Two())
        .filters(
            (context, weir) -> {
              ServletAppBuilder.filter(context, "first", new FirstAddressFilter(), "/*");
              ServletAppBuilder.filter(context, "weir", new RateLimitFilter(weir), "/*");
            });
  }

  /** Sends three requests whose callers invent an address each. */
  private static List<Integer> forged(ServletApp app, String rest) {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      statuses.add(app.get("/two", "X-Forwarded-For: 203.0.113." + i + rest).status());
    }
    return statuses;
  }

  @Test
  default void noCallerChoosesItsAddressByAFilter() throws Exception {
    try (ServletApp app = wrapped().start()) {
      assertEquals(list(200, 200, 429), forged(app, ""));
    }
  }

  @Test
  default void trustedProxiesAreBelievedThoughAFilterHidesTheirFields() throws Exception {
    try (ServletApp app = wrapped().setting("weir.proxy.trusted", "127.0.0.1").start()) {
      assertEquals(list(200, 200, 429), forged(app, ", 198.51.100.1"));
      assertEquals(list(200, 200, 429), forged(app, ", 198.51.100.2"));
    }
  }

  @Test
  default void anApplicationMayTrustTheAddressOfAFilter() throws Exception {
    ServletAppBuilder builder =
        wrapped()
            .parts(
                parts ->
                    parts.peerAddress(
                        request -> Optional.of(((HttpServletRequest) request).getRemoteAddr())));
    try (ServletApp app = builder.start()) {
      assertEquals(list(200, 200, 200), forged(app, ""));
      assertEquals(list(200, 200, 200), forged(app, ", 198.51.100.1"));
      assertEquals(list(429, 429, 429), forged(app, ""));
    }
  }
}
