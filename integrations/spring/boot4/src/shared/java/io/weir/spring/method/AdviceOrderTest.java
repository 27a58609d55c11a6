package io.weir.spring.method;

import static io.weir.spring.method.Contexts.admitted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.RateLimitExceededException;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Limits come before all other advice of a bean, however its proxy was made. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class AdviceOrderTest {
  private static final long PATIENCE_SECONDS = 60;

  static class Worker {
    private final AtomicInteger runs = new AtomicInteger();

    @Async
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public CompletableFuture<Thread> work() {
      runs.incrementAndGet();
      return CompletableFuture.completedFuture(Thread.currentThread());
    }

    @Async
    @RateLimit(limit = 1, window = 3600, by = By.ENDPOINT)
    public void forget() {}

    @Async
    @RateLimit(limit = 1, window = 3600, by = By.ENDPOINT, count = Count.FAILURES)
    public CompletableFuture<String> fail() {
      return CompletableFuture.failedFuture(new IllegalStateException("no"));
    }

    @Transactional
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public void store() {
      runs.incrementAndGet();
    }

    @Cacheable("answers")
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public String answer() {
      runs.incrementAndGet();
      return "answer";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAsync
  @Import(Worker.class)
  static class AsyncApplication {
    @Bean
    TaskExecutor executor() {
      return new SimpleAsyncTaskExecutor("worker-");
    }
  }

  @Test
  void theCallingThreadOfAnAsyncMethodGetsTheRefusal() {
    Contexts.with(AsyncApplication.class)
        .run(
            context -> {
              Worker worker = context.getBean(Worker.class);
              Thread ran = worker.work().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
              assertNotSame(Thread.currentThread(), ran);
              worker.work().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
              assertThrows(RateLimitExceededException.class, worker::work);

              worker.forget();
              assertThrows(RateLimitExceededException.class, worker::forget);
            });
  }

  @Test
  void theOutcomeOfAnAsyncMethodIsThatOfItsFuture() {
    Contexts.with(AsyncApplication.class)
        .run(
            context -> {
              Worker worker = context.getBean(Worker.class);
              CompletableFuture<String> failed = worker.fail();
              assertThrows(Exception.class, () -> failed.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
              assertThrows(RateLimitExceededException.class, worker::fail);
            });
  }

  /** Counts the transactions that are begun. */
  static class Transactions extends AbstractPlatformTransactionManager {
    private static final long serialVersionUID = 1L;
    final AtomicInteger begun = new AtomicInteger();

    @Override
    protected Object doGetTransaction() {
      return this;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
      begun.incrementAndGet();
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {}

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}
  }

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement
  @Import({Worker.class, Transactions.class})
  static class TransactionalApplication {}

  @Test
  void aRefusedCallOpensNoTransaction() {
    Contexts.with(TransactionalApplication.class)
        .run(
            context -> {
              Worker worker = context.getBean(Worker.class);
              assertEquals(2, admitted(4, worker::store));
              assertEquals(2, context.getBean(Transactions.class).begun.get());
            });
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCaching
  @Import(Worker.class)
  static class CachingApplication {
    @Bean
    CacheManager caches() {
      return new ConcurrentMapCacheManager();
    }
  }

  @Test
  void answersFromTheCacheCountToo() {
    Contexts.with(CachingApplication.class)
        .run(
            context -> {
              Worker worker = context.getBean(Worker.class);
              assertEquals(2, admitted(4, worker::answer));
            });
  }
}
