package io.weir.compat.servlet;

import io.weir.annotation.By;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Servlets whose doGet has a member, and whose doPost has it at its default. */
final class DecidingMembers {
  private DecidingMembers() {}

  static final class Everybody extends CountingServlet {
    @Override
    @RateLimit(limit = 1, window = 10, by = By.ENDPOINT)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 1, window = 10)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class ByUser extends CountingServlet {
    @Override
    @RateLimit(limit = 1, window = 10, by = By.USER)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 1, window = 10)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class Keyed extends CountingServlet {
    @Override
    @RateLimit(limit = 1, window = 10, by = By.KEY, key = "header:X-Api-Key")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 1, window = 10)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class ByCookie extends CountingServlet {
    @Override
    @RateLimit(limit = 1, window = 10, by = By.KEY, key = "cookie:session")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 1, window = 10)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class Tuple extends CountingServlet {
    @Override
    @RateLimit(
        limit = 1,
        window = 10,
        by = {By.KEY, By.IP},
        key = {"query:a", "query:b"})
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 1, window = 10)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class Soft extends CountingServlet {
    @Override
    @RateLimit(limit = 10, window = 10, mode = Mode.SOFT)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 10, window = 10)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class Elastic extends CountingServlet {
    @Override
    @RateLimit(limit = 10, window = 10, mode = Mode.ELASTIC)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 10, window = 10)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class Exceeding extends CountingServlet {
    @Override
    @RateLimit(limit = 10, window = 10, mode = Mode.SOFT, exceedBy = 50)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 10, window = 10, mode = Mode.SOFT)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class Tiered extends CountingServlet {
    @Override
    @RateLimit(limit = 1, window = 10, tiers = @Tier(name = "gold", limit = 3))
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 1, window = 10)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class Ahead extends CountingServlet {
    @Override
    @RateLimit(limit = 10, window = 10, overshoot = 25)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 10, window = 10)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class Closed extends CountingServlet {
    @Override
    @RateLimit(limit = 1, window = 10, onStoreFailure = OnStoreFailure.CLOSED)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 1, window = 10)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class Watching extends CountingServlet {
    @Override
    @RateLimit(limit = 1, window = 10, shadow = true)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 1, window = 10)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class Named extends CountingServlet {
    @Override
    @RateLimit(limit = 1, window = 10, name = "own-name")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 1, window = 10)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class Repeated extends CountingServlet {
    @Override
    @RateLimit(limit = 2, window = 10)
    @RateLimit(limit = 3, window = 60, name = "longer")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 2, window = 10)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }
}
