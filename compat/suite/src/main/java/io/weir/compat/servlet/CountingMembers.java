package io.weir.compat.servlet;

import io.weir.annotation.Algorithm;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;

/** Servlets whose doGet has a member, and whose doPost has it at its default. */
final class CountingMembers {
  private CountingMembers() {}

  static final class Limit extends CountingServlet {
    @Override
    @RateLimit(limit = 2, window = 10)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 3, window = 10)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class Window extends CountingServlet {
    @Override
    @RateLimit(limit = 1, window = 10)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 1, window = 20)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class InUnits extends CountingServlet {
    @Override
    @RateLimit(limit = 1, window = 1, unit = ChronoUnit.MINUTES)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 1, window = 1)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class Bursting extends CountingServlet {
    @Override
    @RateLimit(limit = 10, window = 10, algorithm = Algorithm.TOKEN_BUCKET, burst = 2)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 10, window = 10, algorithm = Algorithm.TOKEN_BUCKET)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  static final class Costly extends CountingServlet {
    @Override
    @RateLimit(limit = 10, window = 10, cost = 5)
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

  static final class Failing extends CountingServlet {
    @Override
    @RateLimit(limit = 2, window = 10, count = Count.FAILURES)
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

  static final class Succeeding extends CountingServlet {
    @Override
    @RateLimit(limit = 2, window = 10, count = Count.SUCCESSES)
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

  static final class Fixed extends CountingServlet {
    @Override
    @RateLimit(limit = 2, window = 10, algorithm = Algorithm.FIXED_WINDOW)
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

  static final class Logged extends CountingServlet {
    @Override
    @RateLimit(limit = 1, window = 10, algorithm = Algorithm.SLIDING_LOG)
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

  static final class Refilled extends CountingServlet {
    @Override
    @RateLimit(limit = 10, window = 10, algorithm = Algorithm.TOKEN_BUCKET)
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

  static final class Leaking extends CountingServlet {
    @Override
    @RateLimit(limit = 10, window = 10, algorithm = Algorithm.LEAKY_BUCKET)
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
}
