#include "serve/embedding2d.h"

#include <sys/resource.h>
#include <unistd.h>

#include "base/parallel.h"
#include "io/paths.h"
#include "report/report_facts.h"
#include "report/report_run.h"
#include "serve/page.h"

namespace scrl {
namespace {

struct GivenUp {};

constexpr int kNice = 10;  // requests come first

}  // namespace

Embedding2d::Embedding2d(std::string run, std::string data, Layout2d layout)
    : run_(std::move(run)), data_(std::move(data)), layout_(layout) {}

Embedding2d::~Embedding2d() {
  stopping_ = true;
  if (worker_.joinable()) worker_.join();
}

Reply Embedding2d::reply() {
  if (!is_folder(run_))
    return problem_reply(
        404, "there is no 2-D embedding: the server was given a model file, not its folder");
  if (!has_page())
    return problem_reply(404, "there is no 2-D embedding: this scrl was built without esbuild");
  std::lock_guard lock(mutex_);
  if (made_) return *made_;
  if (!begun_) worker_ = std::thread([this] { work(); });
  begun_ = true;
  return {.status = 202, .body = "{\"status\":\"working\"}\n", .retry_after = 1};
}

void Embedding2d::work() {
  const ThreadScope alone(1);
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice);
  std::optional<Reply> made;
  try {
    const auto go_on = [this] {
      if (stopping_) throw GivenUp();
    };
    ReportRequest request{.runs = {run_}, .data = data_};
    request.layout.kind = layout_;
    request.layout.progress = [&](const TsneProgress&) { go_on(); };
    request.frame = [&](const std::string&, std::size_t, std::size_t) { go_on(); };
    std::vector<ReportRun> runs;
    runs.push_back(gather_run(run_, request, {}));
    const ReportFacts facts = report_facts(runs, layout_);
    made = Reply{
        .body = "{\"facts\":" + facts.json.dump(-1, ' ', false, Json::error_handler_t::replace) +
                ",\"arrays\":\"" + facts.arrays + "\"}\n"};
  } catch (const GivenUp&) {
    return;
  } catch (const Error& e) {
    made = problem_reply(404, cat("there is no 2-D embedding: ", e.what()));
  } catch (...) {
    made = problem_of_exception();
  }
  std::lock_guard lock(mutex_);
  made_ = std::move(made);
}

}  // namespace scrl
