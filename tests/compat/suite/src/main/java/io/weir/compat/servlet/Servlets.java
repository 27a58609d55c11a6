package io.weir.compat.servlet;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import io.weir.compat.BoundRequest;
import io.weir.compat.UserlessCondition;
import io.weir.spi.RequestInfo;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;

/** Servlets of all kinds. */
final class Servlets {
  private Servlets() {}

  /** Has a limit of two per ten seconds. */
  static final class Hello extends CountingServlet {
    @Override
    @RateLimit(limit = 2, window = 10, name = "hello")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Limited by a policy without a name of its own. */
  static final class Unnamed extends CountingServlet {
    @Override
    @RateLimit(limit = 2, window = 10)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Has a doHead and a doOptions of its own. */
  static final class Heads extends CountingServlet {
    @Override
    @RateLimit(limit = 2, window = 10, name = "gets")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 1, window = 10, name = "heads")
    protected void doHead(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 1, window = 10, name = "options")
    protected void doOptions(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** One policy for all methods except those that have their own or are unlimited. */
  @RateLimit(limit = 3, window = 10, name = "class")
  static final class Classy extends CountingServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 1, window = 10, name = "own")
    protected void doPut(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @Unlimited
    protected void doDelete(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Limited where it overrides service. */
  static final class Serving extends CountingServlet {
    @Override
    @RateLimit(limit = 2, window = 10, name = "service")
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Takes its limit from the servlet that it extends. */
  static class Parent extends CountingServlet {
    @Override
    @RateLimit(limit = 1, window = 10, name = "parent")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Overrides without annotations. */
  static final class Child extends Parent {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      super.doGet(request, response);
    }
  }

  /** By user, and by address before that. */
  static final class Profile extends CountingServlet {
    @Override
    @RateLimit(limit = 2, window = 60, by = By.USER, name = "users")
    @RateLimit(limit = 6, window = 60, name = "addresses")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Counts sign-ins by a condition that needs no user. */
  static final class Login extends CountingServlet {
    @Override
    @RateLimit(limit = 3, window = 60, when = UserlessCondition.OF_PASSWORDS, name = "logins")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Counts by a condition that reads the user, though it says that it doesn't. */
  static final class Account extends CountingServlet {
    @Override
    @RateLimit(limit = 3, window = 60, when = UserlessCondition.OF_USERS, name = "accounts")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** No limits. */
  static final class Free extends CountingServlet {
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Forwards, includes or fails as the query says. */
  static final class Front extends CountingServlet {
    @Override
    @RateLimit(limit = 100, window = 60, name = "front")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      switch (String.valueOf(request.getQueryString())) {
        case "forward" -> request.getRequestDispatcher("/behind").forward(request, response);
        case "include" -> request.getRequestDispatcher("/behind").include(request, response);
        case "error" -> response.sendError(404);
        case "throw" -> throw new ServletException("on purpose");
        case "reset" -> response.reset();
        default -> answer(request, response);
      }
    }
  }

  /** Forwards without any limit of its own. */
  static final class Open extends CountingServlet {
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      request.getRequestDispatcher("/behind").forward(request, response);
    }
  }

  /** Shows the user that a woven method would see, after the sign-in. */
  static final class Woven extends CountingServlet {
    @Override
    @RateLimit(limit = 100, window = 60, name = "woven")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setHeader("X-Bound", BoundRequest.get().flatMap(RequestInfo::user).orElse("-"));
      response.setHeader("X-Charged", charge() + " " + charge());
      answer(request, response);
    }

    private boolean charge() {
      return Arrays.stream(getClass().getDeclaredMethods())
          .filter(method -> method.getName().equals("doGet"))
          .anyMatch(BoundRequest::takeCharge);
    }
  }

  /** Has an invalid limit of 0. */
  static final class Mistaken extends CountingServlet {
    @Override
    @RateLimit(limit = 0, window = 10)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Has an invalid unit. */
  static final class Decade extends CountingServlet {
    @Override
    @RateLimit(limit = 1, window = 1, unit = ChronoUnit.DECADES)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** The target of Front's forwards. */
  static final class Behind extends CountingServlet {
    @Override
    @RateLimit(limit = 100, window = 60, name = "behind")
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }
}
