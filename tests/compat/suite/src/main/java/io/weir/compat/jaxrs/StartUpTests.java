package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Setup;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that mistakes stop the application, and that applications in one process are separate. */
interface StartUpTests extends Serving {
  @Path("wrong")
  class Wrong {
    @GET
    @RateLimit(limit = 0, window = 60)
    public String limit() {
      return "";
    }

    @GET
    @Path("overshoot")
    @RateLimit(limit = 1, window = 60, overshoot = 101)
    public String overshoot() {
      return "";
    }
  }

  @Path("decade")
  class Decade {
    @GET
    @RateLimit(limit = 1, window = 1, unit = ChronoUnit.DECADES)
    public String decade() {
      return "";
    }
  }

  @Path("wrong-too")
  class WrongToo {
    @GET
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "header")
    public String key() {
      return "";
    }
  }

  @Path("/")
  class Late {
    @GET
    @Path("fine")
    @RateLimit(limit = 1, window = 60)
    public String fine() {
      return "";
    }

    @Path("sub")
    public Object sub() {
      return new LateSub();
    }
  }

  class LateSub {
    @GET
    @RateLimit(limit = 1, window = 0)
    public String get() {
      return "";
    }
  }

  /** Finds the cause also if a container wraps it. */
  private static String messages(Throwable thrown) {
    return String.join(
        "\n",
        Stream.iterate(thrown, each -> each != null, Throwable::getCause)
            .map(Throwable::toString)
            .toList());
  }

  @Test
  default void allMistakesComeInOneMessage() {
    Setup setup = serving(Wrong.class).with(new WrongToo());
    String message = messages(assertThrows(Exception.class, setup::start));
    for (String part :
        List.of("Wrong#limit", "Wrong#overshoot", "101", "WrongToo#key", "overshoot")) {
      assertTrue(message.contains(part), () -> part + " in " + message);
    }
  }

  @Test
  default void aUnitThatNoWindowHasIsAMistakeWhateverTheSettingsSay() {
    Setup setup = serving(Decade.class).setting("weir.policy.Decade.decade.window", "7d");
    String message = messages(assertThrows(Exception.class, setup::start));
    String line =
        "Decade#decade: unit = DECADES: must be MILLIS, SECONDS, MINUTES, HOURS, DAYS, WEEKS";
    assertTrue(message.contains(line), message);
  }

  @Test
  default void aMistakeInASubResourceFailsOnlyItsRequests() throws Exception {
    Api api = serving(Late.class).start();
    assertEquals(500, api.get("/sub").statusCode());
    assertEquals(500, api.get("/sub").statusCode());
    assertEquals(200, api.get("/fine").statusCode());
  }

  @Test
  default void twoApplicationsDontMeet() throws Exception {
    Api one = serving(Late.class).start();
    Api other = serving(Late.class).setting("weir.policy.Late.fine.limit", "2").start();
    assertEquals(1, one.admitted("/fine"));
    assertEquals(2, other.admitted("/fine"));
  }
}
