package io.weir.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AnnotatedClassesTest {
  @RateLimit(limit = 1, window = 1)
  static class Controller {}

  @RateLimit(limit = 1, window = 1)
  static class Base extends HttpServlet {
    private static final long serialVersionUID = 1;
  }

  @Retention(RetentionPolicy.RUNTIME)
  @RateLimit(limit = 1, window = 1)
  @interface Composed {}

  interface Contract {
    @RateLimit(limit = 1, window = 1)
    void call();
  }

  abstract static class Template implements Contract {
    @RateLimit(limit = 1, window = 1)
    @Override
    public void call() {}
  }

  /** Looks as AspectJ leaves a woven class. */
  static class Woven {
    @RateLimit(limit = 1, window = 1)
    void call() {}

    static void call_aroundBody0(Woven self) {}
  }

  @Path("shop")
  interface Shop {}

  static class Counter implements Shop {
    @RateLimit(limit = 1, window = 1)
    void call() {}
  }

  static class Shelf {
    @GET
    @RateLimit(limit = 1, window = 1)
    public String get() {
      return "";
    }
  }

  static class Drawer extends Shelf {
    @RateLimit(limit = 1, window = 1)
    @Override
    public String get() {
      return "";
    }
  }

  @Test
  void leavesOutWhatAdaptersOrTheAspectLimitAndWhatServesNothing() {
    AnnotatedClasses sorted =
        AnnotatedClasses.of(
            Set.of(
                Controller.class,
                Base.class,
                Composed.class,
                Contract.class,
                Template.class,
                Woven.class,
                Counter.class,
                Shelf.class,
                Drawer.class));
    assertEquals(new AnnotatedClasses(List.of(Counter.class), List.of(Controller.class)), sorted);
  }

  /** Servers scan Weir's jar too. */
  @Test
  void leavesOutTheClassesFromWhichWeirReadsItsDefaults() throws ClassNotFoundException {
    Set<Class<?>> own =
        Set.of(
            Class.forName("io.weir.PolicyBuilder$Defaults"),
            Class.forName("io.weir.internal.policy.draft.PolicyDraft$Defaults"));
    assertEquals(new AnnotatedClasses(List.of(), List.of()), AnnotatedClasses.of(own));
  }

  @Test
  void hasNothingWhereTheContainerFoundNothing() {
    assertEquals(new AnnotatedClasses(List.of(), List.of()), AnnotatedClasses.of(null));
  }

  @Test
  void listsAtMostTwentyNames() {
    List<Class<?>> many = Collections.nCopies(23, Controller.class);
    String names = AnnotatedClasses.names(many);
    assertTrue(names.endsWith(Controller.class.getName() + " and 3 more"), names);
    assertEquals(20, names.split(", ", -1).length);
  }
}
