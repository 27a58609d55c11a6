package io.weir.test.pages;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Runs all blocks of a page in their order, each as a test of its own, by runners for their
 * languages. A block without a runner fails unless the page marks it as not run.
 */
final class PageRun {
  private final MarkdownPage page;
  private final Map<String, BlockRunner> runners = new HashMap<>();

  private PageRun(MarkdownPage page) {
    this.page = page;
  }

  static PageRun of(MarkdownPage page) {
    return new PageRun(page);
  }

  /** Adds a runner for the blocks of a language. */
  PageRun with(String language, BlockRunner runner) {
    runners.put(language, runner);
    return this;
  }

  /** Returns a test for each block, for a method with {@code @TestFactory}. */
  Stream<DynamicTest> tests() {
    return page.blocks().stream()
        .filter(each -> !each.isMarked())
        .map(each -> DynamicTest.dynamicTest(each.place(), () -> run(each)));
  }

  private void run(CodeBlock block) throws Exception {
    BlockRunner runner = runners.get(block.language());
    if (runner == null) {
      throw new AssertionError(
          block.place()
              + ": no test runs blocks of this language. Add a runner, or write 'not run' into the"
              + " paragraph before it.");
    }
    runner.run(block);
  }
}
