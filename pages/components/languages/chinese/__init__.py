"""The words of the pages in Simplified Chinese: a module for each `strings.py`, with the same names.

One word for one thing. The left column is the English of the page and of the glossary in CONTRIBUTING.

====================================  =======================================================
story, title                          故事，标题
premise (what the writer types)       构思
foundation                            故事设定
background, world                     背景，世界
long-term goal                        长期目标
themes, tone                          主题，基调
spine (where the story goes)          主线
cast                                  人物表（在句子里：人物）
person, people, character             人物
relationship                          关系
strength 7 of 10                      强度 7/10
place, scene of the graphs            地点
scene (of a plan or a text)           场景
event                                 事件
thread; plant, keep alive, pay off    伏笔；埋下、维持、回收
secret; hides; knows                  秘密；隐瞒；知道
chapter, chapter 3                    章、章节，第 3 章
to plot (a chapter); plot             构想情节；情节
goal (of a chapter)                   目标
to weave, weaving; relay; turn        编织；接力；轮次
round                                 轮
candidate                             候选情节
score, scoring rule, weight           评分，评分规则，权重
outline                               大纲
storyline                             故事线
part (of an event, in an outline)     片段
link (between events)                 关联
board                                 看板
branch                                分支
undo, redo, restore                   撤销，重做，恢复
merge                                 合并
finding (of the continuity check)     疑点
continuity                            连贯性
stale                                 已过时
lock, locked                          锁定，已锁定
time cursor                           时间轴（“截至第 7 章”）
as of chapter 7                       截至第 7 章
as of the beginning                   截至开篇
text; manuscript; book                正文；书稿；书
to write, written                     写作、写，已写
draft (noun; verb: draft the cast)    草稿；草拟
drafted, revised, edited, approved    已成稿，已修订，已编辑，已定稿
to revise, revision                   修订
review, reviewer                      审读，审读者
writing plan                          写作计划
through whose eyes                    视角
telling                               讲述版本
version (of a text)                   版本
passage; paragraph                    段落文字（“这段文字”）；段
to rewrite, expand, shorten           改写、扩写、缩写
suggestion; take, leave               建议；采用、放弃
to compare (text with story)          对照
proposal, proposed change             提议，提议的修改
reader                                读者
form (novel, screenplay)              体裁
model; sample model                   模型；示例模型
agent                                 智能体
prompt; answer; call                  提示词；回答；调用
token                                 token（不译，前后留空格）
run                                   运行；句中多用“任务”
to stop, continue (a run)             停止、继续
autopilot                             自动推进
estimate; limit; price                预估；上限；价格
cost                                  用量与费用（导航与标题）；费用
settings                              设置
library; backup                       书库；备份
role graph, plot graph                人物图，情节图
graphs (the page)                     图谱
timeline                              时间线
history (the page)                    历史
talk (the page)                       对话
ask (the story)                       提问
export, import, download              导出，导入，下载
yours, invented (marks)               你写的，补充的
approve                               确认；正文用“定稿”
choose                                选定
done (closes what was opened)         完成
discard                               丢弃
remove (from a list); delete          移除；删除
never mind, cancel                    取消
keep                                  保留
====================================  =======================================================

How it is written: 你, never 您. Short as a button allows: verb first, no 请 but where something is asked of
the writer, no 了 where it says nothing. Full-width marks ，。：；？！（）, quotation marks “”, titles of stories
and chapters in “”, ellipsis … as in English; a space between Chinese and a Latin letter or a figure ("第 3 章",
"约 1,200 字", "GGUF 文件"), none at full-width marks. Numbers have measure words: 3 章 (chapters), 5 个人物
(people), 2 段关系 (relationships), 4 个事件 (events), 6 条伏笔 (threads), 3 个候选情节, 2 处疑点 (findings),
8 处修改 (changes), 1,200 字 (words), 7 个版本, 3 个分支, 12 次调用 (calls). No plural forms. Product names,
variables, file formats and code (`OPENAI_API_KEY`, GGUF, JSON) stay as they are; Markdown and placeholders
({name}) stay where they belong. *Settings*, named in a sentence, is the name of that page: “设置”.
"""
