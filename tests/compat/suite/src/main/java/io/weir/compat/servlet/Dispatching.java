package io.weir.compat.servlet;

import io.weir.RateLimitExceededException;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** Servlets that dispatch to others by the query. */
abstract class Dispatching extends CountingServlet {
  /** The default target of dispatches. */
  static final String TARGET = "/target";

  private final transient AtomicInteger ran = new AtomicInteger();

  /** Returns the number of its runs. */
  final int ran() {
    return ran.get();
  }

  final void dispatch(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    ran.incrementAndGet();
    switch (String.valueOf(request.getQueryString())) {
      case "forward" -> to(request, TARGET).forward(request, response);
      case "wrapped" -> to(request, TARGET).forward(wrap(request), wrap(response));
      case "nested" -> to(request, "/between?forward").forward(request, response);
      case "itself" ->
          to(request, request.getServletPath() + "?forward").forward(request, response);
      case "named-forward" -> named().forward(request, response);
      case "include" -> include(to(request, TARGET), request, response);
      case "named-include" -> include(named(), request, response);
      case "twice" -> twice(request, response);
      case "late" -> late(request, response);
      case "caught" -> caught(request, response);
      case "async" -> async(request, TARGET);
      case "failing" -> to(request, TARGET + "?status=404").forward(request, response);
      default -> answer(request, response);
    }
  }

  private static RequestDispatcher to(HttpServletRequest request, String path) {
    return Objects.requireNonNull(request.getRequestDispatcher(path));
  }

  private RequestDispatcher named() {
    ServletContext context = getServletContext();
    for (ServletRegistration each : context.getServletRegistrations().values()) {
      if (each.getMappings().contains(TARGET)) {
        return Objects.requireNonNull(context.getNamedDispatcher(each.getName()));
      }
    }
    throw new IllegalStateException("no target");
  }

  private static void include(
      RequestDispatcher target, HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    response.getWriter().print("page ");
    target.include(request, response);
    response.getWriter().print(" end");
  }

  private static void twice(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    to(request, TARGET).include(request, response);
    to(request, TARGET).include(request, response);
  }

  /** The response is committed when the target is included. */
  private static void late(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    response.getWriter().print("page ");
    response.flushBuffer();
    to(request, TARGET).include(request, response);
    response.getWriter().print(" end");
  }

  private static void caught(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    try {
      include(to(request, TARGET), request, response);
    } catch (RateLimitExceededException refused) {
      response.getWriter().print("instead of " + refused.decision().policy().name());
    }
  }

  private static void async(HttpServletRequest request, String path) {
    AsyncContext async = request.startAsync();
    async.dispatch(path);
  }

  private static HttpServletRequest wrap(HttpServletRequest request) {
    return new HttpServletRequestWrapper(request);
  }

  private static HttpServletResponse wrap(HttpServletResponse response) {
    return new HttpServletResponseWrapper(response);
  }

  /** Has a limit of a hundred. */
  static final class Front extends Dispatching {
    @Override
    @RateLimit(limit = 100, window = 60, name = "front")
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      dispatch(request, response);
    }
  }

  /** Has no limit. */
  static final class Open extends Dispatching {
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      dispatch(request, response);
    }
  }

  /** Counts only failures. */
  static final class Guessing extends Dispatching {
    @Override
    @RateLimit(limit = 2, window = 60, name = "guessing", count = Count.FAILURES)
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      dispatch(request, response);
    }
  }

  /** Counts only successes. */
  static final class Selling extends Dispatching {
    @Override
    @RateLimit(limit = 2, window = 60, name = "selling", count = Count.SUCCESSES)
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      dispatch(request, response);
    }
  }

  /** Reads its cost from the query, and includes a page that costs more. */
  static final class Priced extends Dispatching {
    @Override
    @RateLimit(limit = 100, window = 60, name = "priced", costFrom = "query:amount")
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      String more = request.getParameter("more");
      if (more == null || request.getDispatcherType() != DispatcherType.REQUEST) {
        answer(request, response);
      } else {
        to(request, request.getServletPath() + "?amount=" + more).forward(request, response);
      }
    }
  }

  /** Checks a password, and shows a page if it is wrong. */
  static final class Login extends Dispatching {
    @Override
    @RateLimit(limit = 5, window = 60, name = "login", count = Count.FAILURES)
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      if ("right".equals(request.getQueryString())) {
        answer(request, response);
      } else {
        dispatch(request, response);
      }
    }
  }

  /** Has a limit of two per minute. */
  static final class Target extends CountingServlet {
    @Override
    @RateLimit(limit = 2, window = 60, name = "target")
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Has limits for plans. */
  static final class Keyed extends CountingServlet {
    @Override
    @RateLimit(limit = 2, window = 60, name = "keyed", by = By.KEY, key = "plan")
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Has a policy in shadow mode. */
  static final class Watched extends CountingServlet {
    @Override
    @RateLimit(limit = 2, window = 60, name = "watched", shadow = true)
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Counts only successes. */
  static final class Winning extends CountingServlet {
    @Override
    @RateLimit(limit = 2, window = 60, name = "winning", count = Count.SUCCESSES)
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Has limits for each method. */
  @RateLimit(limit = 12, window = 60, name = "methods")
  static final class Methods extends CountingServlet {
    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 2, window = 60, name = "delete")
    protected void doDelete(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }
}
