// serve/embedding2d.h: the 2-D embedding of the report for the page of the server: computed by a
// thread of its own when it is first asked for, as t-SNE takes a while and nobody may ever look.
#pragma once
#include <atomic>
#include <mutex>
#include <string>
#include <thread>

#include "report/report_layout.h"
#include "serve/answers.h"

namespace scrl {

class Embedding2d {
 public:
  // `run`: a run folder; a model file alone has no 2-D embedding.
  Embedding2d(std::string run, std::string data, Layout2d layout);
  ~Embedding2d();  // gives the work up

  Reply reply();  // it, or why there is none, or when to ask again

 private:
  void work();

  const std::string run_, data_;
  const Layout2d layout_;
  std::mutex mutex_;
  bool begun_ = false;
  std::optional<Reply> made_;
  std::atomic<bool> stopping_{false};
  std::thread worker_;
};

}  // namespace scrl
