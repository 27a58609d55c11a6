package io.weir.compat.stack;

import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.jaxrs.RateLimitFeature;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Application;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/** Beans of CDI with limits, beside resources that are beans and call them. */
public final class CheckedBeans {
  private CheckedBeans() {}

  /** The application in a war, registered as the README has it. */
  @ApplicationPath("/")
  public static class WarWithBeans extends Application {
    /** Called by the server. */
    public WarWithBeans() {}

    @Override
    public Set<Class<?>> getClasses() {
      return Set.of(Desk.class, CheckedSignIn.class, RateLimitFeature.class);
    }
  }

  /** Sends mail at once and later. */
  @ApplicationScoped
  public static class Mailer {
    /** Called by the container. */
    public Mailer() {}

    /** Twice for each address. */
    @RateLimit(limit = 2, window = 3_600, by = By.IP, name = "mail")
    public String send() {
      return "sent";
    }

    /** Twice for each user. */
    @RateLimit(limit = 2, window = 3_600, by = By.USER, name = "invitation")
    public String invite() {
      return "invited";
    }

    /** Ends in another thread, after it has returned; two failures for each address. */
    @RateLimit(limit = 2, window = 3_600, by = By.IP, count = Count.FAILURES, name = "delivery")
    public CompletionStage<String> deliver(String mail) {
      CompletableFuture<String> end = new CompletableFuture<>();
      CountDownLatch returned = new CountDownLatch(1);
      Thread postman =
          new Thread(
              () -> {
                awaitUninterruptibly(returned);
                if (mail.equals("lost")) {
                  end.completeExceptionally(new IllegalStateException("lost"));
                } else {
                  end.complete(mail);
                }
              },
              "postman");
      postman.start();
      returned.countDown();
      return end;
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Answers requests by the mailer. */
  @Path("/")
  @ApplicationScoped
  public static class Desk {
    @Inject Mailer mailer;

    /** Called by the container. */
    public Desk() {}

    /** Calls a limited bean. */
    @GET
    @Path("mail")
    public String mail() {
      return mailer.send();
    }

    /** Calls a bean that is limited by user. */
    @GET
    @Path("invitation")
    public String invitation() {
      return mailer.invite();
    }

    /** Answers when the bean's stage has ended. */
    @GET
    @Path("delivery/{mail}")
    public CompletionStage<String> delivery(@PathParam("mail") String mail) {
      return mailer.deliver(mail).handle((done, failure) -> failure == null ? done : "failed");
    }

    /** Is filtered, and intercepted since this is a bean. */
    @GET
    @Path("own")
    @RateLimit(limit = 2, window = 3_600, by = By.IP, name = "own")
    public String own() {
      return "own";
    }

    /** The same, answered later. */
    @GET
    @Path("later")
    @RateLimit(limit = 2, window = 3_600, by = By.IP, name = "later")
    public CompletionStage<String> later() {
      return mailer.deliver("later");
    }
  }
}
