package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.weir.annotation.RateLimit;
import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Tests how many bytes the filter allocates for an admitted request, the container's request
 * attributes and response fields included. The least of many requests counts, since their first
 * ones load classes; what the compiler saves comes on top.
 */
public interface ServletAllocationContract extends ServletServer {
  /** Answers as little as a servlet can. */
  class Free extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }
  }

  /** The same with a limit that no request meets. */
  final class Limited extends Free {
    @Override
    @RateLimit(limit = 1_000_000_000, window = 60)
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      super.doGet(request, response);
    }
  }

  /**
   * Returns the bytes that an admitted request may allocate in the filter.
   *
   * @return the same for all versions of a container
   */
  long mostBytesOfAnAdmittedRequest();

  @Test
  default void anAdmittedRequestAllocatesLittle() throws Exception {
    AtomicLong bytes = new AtomicLong();
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/free", new Free())
            .servlet("/limited", new Limited())
            .filters(
                (context, weir) -> {
                  ServletAppBuilder.filter(context, "meter", meter(bytes), "/*");
                  ServletAppBuilder.filter(context, "weir", new RateLimitFilter(weir), "/limited");
                });
    try (ServletApp app = builder.start()) {
      long added = least(app, "/limited", bytes) - least(app, "/free", bytes);
      assertTrue(added > 0 && added <= mostBytesOfAnAdmittedRequest(), added + " bytes");
    }
  }

  private static long least(ServletApp app, String path, AtomicLong bytes) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 100; i++) {
      assertEquals(204, app.get(path).status());
      least = Math.min(least, bytes.get());
    }
    return least;
  }

  private static Filter meter(AtomicLong bytes) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return (request, response, chain) -> {
      long thread = Thread.currentThread().getId();
      long before = threads.getThreadAllocatedBytes(thread);
      chain.doFilter(request, response);
      bytes.set(threads.getThreadAllocatedBytes(thread) - before);
    };
  }
}
