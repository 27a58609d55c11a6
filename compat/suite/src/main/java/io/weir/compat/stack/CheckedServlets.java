package io.weir.compat.stack;

import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.List;

/**
 * The endpoints of the checks as servlets, written as an application would: a class for each, at
 * the path of its {@code @WebServlet}. All support asynchronous responses.
 */
public final class CheckedServlets {
  private static final long NO_TIMEOUT = 0;

  private CheckedServlets() {}

  /**
   * Lists the servlets, for stacks that don't look for annotations.
   *
   * @return classes with {@code @WebServlet}, which has one path
   */
  public static List<Class<? extends HttpServlet>> classes() {
    return List.of(
        Ip.class,
        User.class,
        KeyHeader.class,
        Async.class,
        Mapped.class,
        Failures.class,
        FailuresAsync.class,
        Unmapped.class,
        UnmappedSuccess.class,
        Free.class,
        Items.class);
  }

  /**
   * Returns the path of a servlet.
   *
   * @param servlet one of {@link #classes()}
   * @return such as {@code /ip}, or {@code /items/*}
   */
  public static String path(Class<? extends HttpServlet> servlet) {
    return servlet.getAnnotation(WebServlet.class).value()[0];
  }

  /** By address. */
  @WebServlet(value = "/ip", asyncSupported = true)
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "ip")
  public static class Ip extends Answering {
    private static final long serialVersionUID = 1;
  }

  /** By user. */
  @WebServlet(value = "/user", asyncSupported = true)
  @RateLimit(limit = 3, window = 60, by = By.USER, name = "user")
  public static class User extends Answering {
    private static final long serialVersionUID = 1;
  }

  /** By a header field. */
  @WebServlet(value = "/key", asyncSupported = true)
  @RateLimit(limit = 3, window = 60, by = By.KEY, key = "header:X-Api-Key", name = "key")
  public static class KeyHeader extends Answering {
    private static final long serialVersionUID = 1;
  }

  /** Answers from another thread. */
  @WebServlet(value = "/async", asyncSupported = true)
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "async")
  public static class Async extends AnsweringLater {
    private static final long serialVersionUID = 1;
  }

  /** Sends a 500. */
  @WebServlet(value = "/mapped", asyncSupported = true)
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "mapped")
  public static class Mapped extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.sendError(500);
    }
  }

  /** Succeeds or fails as it is told. */
  @WebServlet(value = "/failures", asyncSupported = true)
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures")
  public static class Failures extends Answering {
    private static final long serialVersionUID = 1;
  }

  /** The same from another thread. */
  @WebServlet(value = "/failures-async", asyncSupported = true)
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures-async")
  public static class FailuresAsync extends AnsweringLater {
    private static final long serialVersionUID = 1;
  }

  /** Throws. */
  @WebServlet(value = "/unmapped", asyncSupported = true)
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "unmapped")
  public static class Unmapped extends Throwing {
    private static final long serialVersionUID = 1;
  }

  /** The same, where only successes count. */
  @WebServlet(value = "/unmapped-success", asyncSupported = true)
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.SUCCESSES, name = "unmapped-success")
  public static class UnmappedSuccess extends Throwing {
    private static final long serialVersionUID = 1;
  }

  /** Without a limit. */
  @WebServlet(value = "/free", asyncSupported = true)
  public static class Free extends Answering {
    private static final long serialVersionUID = 1;
  }

  /** Serves many paths, without a limit. */
  @WebServlet(value = "/items/*", asyncSupported = true)
  public static class Items extends Answering {
    private static final long serialVersionUID = 1;
  }

  /** Answers at once, with the status that the query names. */
  private abstract static class Answering extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Does the same from another thread. */
  private abstract static class AnsweringLater extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      AsyncContext async = request.startAsync();
      async.setTimeout(NO_TIMEOUT);
      Thread thread = new Thread(() -> answer(request, response, async), "checked-async");
      thread.setDaemon(true);
      thread.start();
    }

    private static void answer(
        HttpServletRequest request, HttpServletResponse response, AsyncContext async) {
      try {
        CheckedServlets.answer(request, response);
      } catch (IOException hungUp) {
        // the caller has gone
      } finally {
        async.complete();
      }
    }
  }

  /** Throws, and nothing handles it. */
  private abstract static class Throwing extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws ServletException {
      throw new ServletException("on purpose");
    }
  }

  private static void answer(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if ("422".equals(request.getParameter("status"))) {
      response.sendError(422);
    } else {
      response.setContentType("text/plain");
      response.getWriter().print(request.getServletPath());
    }
  }

  /** Signs in the user that {@code X-User} names; mapped before Weir's filter, or between two. */
  public static class SignInFilter extends HttpFilter {
    private static final long serialVersionUID = 1;

    /** For the container. */
    public SignInFilter() {}

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      String name = request.getHeader("X-User");
      chain.doFilter(name == null ? request : new SignedInRequest(request, name), response);
    }
  }

  private static final class SignedInRequest extends HttpServletRequestWrapper {
    private final Principal principal;

    SignedInRequest(HttpServletRequest request, String name) {
      super(request);
      this.principal = () -> name;
    }

    @Override
    public Principal getUserPrincipal() {
      return principal;
    }
  }
}
